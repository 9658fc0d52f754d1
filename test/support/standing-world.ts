import type { SubscriptionDraft } from '../../src/agent/subscribe/frozen-plan.ts'
import { keepAnswer, keptAnswer } from '../../src/bots/actions/answer-chat-message.ts'
import { RunRecords } from '../../src/bots/actions/run-record.ts'
import type { ChatOutbox } from '../../src/chat/platform.ts'
import { createAcceptor } from '../../src/queue/accept/acceptor.ts'
import { type Admission, OPEN_ADMISSION } from '../../src/queue/accept/admission.ts'
import { openDrainParts } from '../../src/queue/drain/drain-parts.ts'
import { drainThread } from '../../src/queue/drain/thread-drain.ts'
import { threadName } from '../../src/queue/thread-keys.ts'
import type { RedisClient } from '../../src/store/redis/client.ts'
import { createRedisStateStore } from '../../src/store/redis/state-store.ts'
import { type AnswerDueDeps, answerDue } from '../../src/subscriptions/answer-due.ts'
import { startDueRuns } from '../../src/subscriptions/due-runs.ts'
import { keepFor } from '../../src/subscriptions/keep-subscription.ts'
import { Subscriptions } from '../../src/subscriptions/store.ts'
import type { ScriptedModel } from '../emulators/model/scripted-model.ts'
import type { TestEngine } from './engine.ts'
import { type EngineAnalystSettings, openEngineAnalyst } from './engine-analyst.ts'
import { acceptedRuns, chatMessage, type QueueHarness, recordingLogger } from './queue-harness.ts'

export const never = new AbortController().signal
export const PLACE = chatMessage('').place

export interface StandingSettings {
  readonly admission?: Admission
  readonly hasLeft?: AnswerDueDeps['hasLeft']
  readonly analyst?: Partial<EngineAnalystSettings>
}

/** A clock that only the test moves. */
export interface TestClock {
  now: number
}

/**
 * Opens what a worker needs to start and to answer due runs, with the clock of the test. The drain of a thread is called directly,
 * without a job.
 */
export async function openStandingWorker(
  {
    harness,
    engine,
    model,
    redis = harness.redis,
    outbox = harness.platform.outbox,
  }: {
    readonly harness: QueueHarness
    readonly engine: TestEngine
    readonly model: ScriptedModel
    readonly redis?: RedisClient
    readonly outbox?: ChatOutbox
  },
  clock: TestClock,
  { admission = OPEN_ADMISSION, hasLeft = async () => false, analyst: settings = {} }: StandingSettings = {},
) {
  const { logger } = recordingLogger()
  const now = () => clock.now
  const store = createRedisStateStore(redis)
  const subscriptions = new Subscriptions(redis)
  const { analyst, close } = await openEngineAnalyst({ engine, model, store }, { now, ...settings })
  const records = new RunRecords({ store, retentionSeconds: 600 })
  const keeping = { records, access: { mayPublish: async () => false }, now }
  const deps: AnswerDueDeps = {
    subscriptions,
    analyst,
    watcher: analyst,
    keepAnswer: (...given) => keepAnswer(keeping, ...given),
    keptAnswer: (...given) => keptAnswer(keeping, ...given),
    hasLeft,
  }
  const acceptor = createAcceptor({ redis, queue: harness.queue, runs: acceptedRuns(redis), now, logger })
  const parts = openDrainParts({
    redis,
    admission,
    answer: (accepted, context, signal) => answerDue(deps, accepted, context, signal),
    destinations: { slack: { outbox, progressEditsPerMinute: 6000 } },
    landingMs: 50,
    now,
    logger,
  })

  /** Starts what is due, and answers all messages of the thread. */
  async function tick(): Promise<void> {
    await startDueRuns({ subscriptions, acceptor, now, logger }, never)
    const thread = threadName(PLACE)
    for (let isMore = true; isMore; ) {
      const outcome = await drainThread(thread, { ...parts.deps, isStopping: () => false }, never)
      isMore = outcome.kind === 'more'
    }
  }

  return {
    subscriptions,
    acceptor,
    tick,
    add: (draft: SubscriptionDraft, owner = 'U1') =>
      keepFor(
        { subscriptions, now },
        { message: chatMessage('', { author: owner }), runId: 'run_1', acceptedAt: 0 },
        () => 'en',
      )(draft, never),
    async close() {
      await parts.close()
      await close()
    },
  }
}
