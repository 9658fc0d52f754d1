import type { AccessControl } from '../../src/access/control.ts'
import type { SubscriptionDraft } from '../../src/agent/subscribe/frozen-plan.ts'
import { RunRecords } from '../../src/bots/actions/run-record.ts'
import type { ChatOutbox } from '../../src/chat/platform.ts'
import { createAcceptor } from '../../src/queue/accept/acceptor.ts'
import { type Admission, OPEN_ADMISSION } from '../../src/queue/accept/admission.ts'
import { openDrainParts } from '../../src/queue/drain/drain-parts.ts'
import { drainThread } from '../../src/queue/drain/thread-drain.ts'
import { threadKeys, threadName } from '../../src/queue/thread-keys.ts'
import type { RedisClient } from '../../src/store/redis/client.ts'
import { createRedisStateStore } from '../../src/store/redis/state-store.ts'
import { answerDue } from '../../src/subscriptions/answer-due.ts'
import { startDueRuns } from '../../src/subscriptions/due-runs.ts'
import { keepFor } from '../../src/subscriptions/keep-subscription.ts'
import { pauseUnreachable } from '../../src/subscriptions/steer.ts'
import { Subscriptions } from '../../src/subscriptions/store.ts'
import type { ScriptedModel } from '../emulators/model/scripted-model.ts'
import type { TestEngine } from './engine.ts'
import { type EngineAnalystSettings, openEngineAnalyst } from './engine-analyst.ts'
import { acceptedRuns, chatMessage, type QueueHarness, recordingLogger } from './queue-harness.ts'

export const never = new AbortController().signal
export const PLACE = chatMessage('').place

export interface StandingSettings {
  readonly admission?: Admission
  readonly isMember?: AccessControl['isMember']
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
  { admission = OPEN_ADMISSION, isMember = async () => true, analyst: settings = {} }: StandingSettings = {},
) {
  const { logger } = recordingLogger()
  const now = () => clock.now
  const store = createRedisStateStore(redis)
  const subscriptions = new Subscriptions({ redis, now })
  const { analyst, close } = await openEngineAnalyst({ engine, model, store }, { now, ...settings })
  const records = new RunRecords({ store, retentionSeconds: 600 })
  const access = { mayPublish: async () => false }
  const deps = { subscriptions, analyst, watcher: analyst, records, access, accessControl: { isMember }, now }
  const acceptor = createAcceptor({ redis, queue: harness.queue, runs: acceptedRuns(redis), now, logger })
  const parts = openDrainParts({
    redis,
    admission,
    answer: (accepted, context, signal) => answerDue(deps, accepted, context, signal),
    whenUnreachable: pauseUnreachable(subscriptions),
    destinations: { slack: { outbox, progressEditsPerMinute: 6000 } },
    landingMs: 50,
    now,
    logger,
  })

  /** Starts what is due, and answers all messages of the thread. */
  async function tick(): Promise<void> {
    await startDueRuns({ subscriptions, acceptor, logger }, never)
    const thread = threadName(PLACE)
    // Redis counts the messages of a thread by its own clock, in which no time passes here.
    await redis.del(threadKeys(thread).turns)
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
      keepFor(subscriptions, { message: chatMessage('', { author: owner }), runId: 'run_1', acceptedAt: 0 }).keep(
        draft,
        'en',
        never,
      ),
    async close() {
      await parts.close()
      await close()
    },
  }
}

/** A process that dies after some commands to Redis: each later command, and each request to the platform, fails. */
export interface DyingProcess {
  readonly redis: RedisClient
  readonly outbox: ChatOutbox
  readonly commands: () => number
}

/** @param lastCommand the number of the command that is carried out, but whose reply does not arrive any more */
export function dyingProcess({ redis, platform: { outbox } }: QueueHarness, lastCommand: number): DyingProcess {
  let sent = 0
  const died = () => Promise.reject(new Error('killed'))
  const counted = new Set([
    'get',
    'getBuffer',
    'set',
    'del',
    'hget',
    'hgetall',
    'exists',
    'evalsha',
    'eval',
    'rpush',
    'lrange',
    'zadd',
    'zrange',
    'zrangebyscore',
    'zrem',
  ])
  const dying = new Proxy(redis, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      const command: (...given: unknown[]) => unknown = value.bind(target)
      if (!counted.has(String(name))) return command
      return (...given: unknown[]) => {
        if (sent >= lastCommand) return died()
        sent += 1
        const reply = command(...given)
        return sent < lastCommand ? reply : Promise.resolve(reply).then(died)
      }
    },
  })
  const request = <Given extends unknown[], Value>(call: (...given: Given) => Promise<Value>) => {
    return async (...given: Given): Promise<Value> => (sent >= lastCommand ? died() : call(...given))
  }
  const { post, edit, find } = outbox
  return {
    redis: dying,
    outbox: { ...outbox, post: request(post), edit: request(edit), find: request(find) },
    commands: () => sent,
  }
}
