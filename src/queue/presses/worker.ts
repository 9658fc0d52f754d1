import { type Job, UnrecoverableError, type Worker } from 'bullmq'
import { ClewError, errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { asRun } from '../../base/watched-work.ts'
import { ChatError } from '../../chat/error.ts'
import type { ChatPress } from '../../chat/event.ts'
import type { PressHandler } from '../../chat/press-handler.ts'
import type { PrivateReply } from '../../chat/reply.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { StoreError } from '../../store/store-error.ts'
import type { Observe } from '../../telemetry/observation.ts'
import { inSpan } from '../../telemetry/span.ts'
import { chatWords } from '../../words/chat.ts'
import { jobError } from '../alone/job-error.ts'
import type { LoneProcesses } from '../alone/processes.ts'
import { askerName } from '../asker.ts'
import { closeWorker } from '../close-worker.ts'
import type { ChatDestination } from '../deliver/chat-destination.ts'
import { callOutbox, requestInTime } from '../deliver/outbox-call.ts'
import { FairSlots, putOff } from '../fair-slots.ts'
import { PRESS_LIMITS, QUEUE_LIMITS } from '../limits.ts'
import { openWorker } from '../open-worker.ts'
import { attributesOf, notePressCrash, PRESS_QUEUES, type PressQueueName, readPress } from './queue.ts'

export interface PressWorker {
  start(): void
  /** Takes no new presses and gives running presses `graceMs` to finish. Another worker handles the unfinished presses. */
  close(graceMs: number): Promise<void>
}

export interface PressWorkerDeps {
  /** A Redis connection that waits for Redis to come back after a failure. */
  readonly redis: RedisClient
  /** Handles a press. The handler must be idempotent: if the worker dies or Redis cannot be reached, it runs again. */
  readonly handle: PressHandler
  readonly destinations: Readonly<Record<string, Pick<ChatDestination, 'outbox'>>>
  /** Runs a press in a process of its own if the press may have killed its worker. */
  readonly alone?: Pick<LoneProcesses, 'run'>
  readonly observe?: Observe | undefined
  readonly logger: Logger
}

function failed({ language = 'en' }: ChatPress): PrivateReply {
  return { markdown: chatWords(language).pressFailed }
}

const tellCrash: PressHandler = async ({ language = 'en' }) => ({ markdown: chatWords(language).pressCrashed })

/**
 * Handles a press and shows the reply.
 * @throws UnrecoverableError, or an error that makes BullMQ try again
 */
export type AnswerPress = (press: ChatPress, isLastAttempt: boolean, signal: AbortSignal) => Promise<void>

export function createAnswerPress({
  handle,
  destinations,
  observe,
  logger,
}: Omit<PressWorkerDeps, 'redis' | 'alone'>): AnswerPress {
  async function replyTo(press: ChatPress, isLastAttempt: boolean, signal: AbortSignal): Promise<PrivateReply | undefined> {
    const { place, pressed } = press
    const tell = (outcome: string) => observe?.({ kind: 'press', platform: place.platform, action: pressed.action, outcome })
    try {
      const reply = await handle(press, signal)
      tell(handle === tellCrash ? 'crashed' : 'answered')
      return reply
    } catch (error) {
      const isPassing = error instanceof StoreError || (error instanceof ClewError && error.retryable)
      if (signal.aborted || (isPassing && !isLastAttempt)) throw error
      tell('failed')
      logger.error({ ...fieldsOf(press), error: errorMessage(error) }, 'press failed')
      return failed(press)
    }
  }

  return async (pressed, isLastAttempt, signal) => {
    const { place, user } = pressed
    const outbox = destinations[place.platform]?.outbox
    // This error makes BullMQ try again, because another worker may be connected to that platform.
    if (outbox === undefined) throw new Error(`no way to ${place.platform} from this worker`)
    const language = pressed.language ?? (await outbox.personOf(place, user, signal)).language
    const press = { ...pressed, ...(language && { language }) }
    const subject = { id: press.pressed.runId, person: askerName(place, user), place }
    const reply = await asRun(subject, () => replyTo(press, isLastAttempt, signal))
    if (reply === undefined) return
    await showReply(press, reply, destinations, signal)
    logger.info(fieldsOf(press), 'press answered')
  }
}

async function showReply(
  press: ChatPress,
  reply: PrivateReply,
  destinations: PressWorkerDeps['destinations'],
  signal: AbortSignal,
): Promise<void> {
  const outbox = destinations[press.place.platform]?.outbox
  if (outbox === undefined) return
  try {
    const show = () => requestInTime(asked => outbox.answerPress(press, reply, asked), signal, PRESS_LIMITS.requestMs)
    await callOutbox(show, signal)
  } catch (error) {
    if (!(error instanceof ChatError) || error.retryable) throw error
    throw new UnrecoverableError(error.message)
  }
}

function fieldsOf({ pressId, pressed }: ChatPress): Readonly<Record<string, string>> {
  return { press: pressId, action: pressed.action, run: pressed.runId }
}

/** Creates a worker for presses. It has its own slots, so that Stop works even if every slot for messages is taken. */
export function createPressWorker(deps: PressWorkerDeps): PressWorker {
  const { alone, logger } = deps
  const answerPress = createAnswerPress(deps)
  const answerCrash = createAnswerPress({ ...deps, handle: tellCrash })
  const stopping = new AbortController()
  let inHand = 0

  async function handlePress(press: ChatPress, hasCrashed: boolean, job: Job, token: string | undefined): Promise<void> {
    inHand += 1
    try {
      const isLastAttempt = job.attemptsMade + 1 >= PRESS_LIMITS.attempts
      if (hasCrashed) return await answerCrash(press, isLastAttempt, stopping.signal)
      if (alone === undefined || job.stalledCounter < QUEUE_LIMITS.startsTogether)
        return await answerPress(press, isLastAttempt, stopping.signal)
      const outcome = await alone.run({ kind: 'press', press, isLastAttempt }, stopping.signal)
      if (outcome.kind === 'wait') return await putOff(job, outcome.waitMs, token)
      if (outcome.kind === 'failed') throw jobError(outcome)
      if (outcome.kind === 'done') return
      logger.error({ ...fieldsOf(press), how: outcome.how }, 'press killed its lone process')
      await notePressCrash(job)
      await answerCrash(press, isLastAttempt, stopping.signal)
    } finally {
      inHand -= 1
    }
  }

  /**
   * Parses the press of a job.
   * @throws UnrecoverableError if the press has a wrong signature
   */
  function readTrusted(job: Job): ReturnType<typeof readPress> {
    try {
      return readPress(deps.redis.stateKey, job.id ?? '', job.data)
    } catch (error) {
      throw new UnrecoverableError(errorMessage(error))
    }
  }

  function open(name: PressQueueName): Worker {
    const fairSlots = new FairSlots(deps.redis)
    async function process(job: Job, token: string | undefined): Promise<void> {
      const { press, hasCrashed, parent } = readTrusted(job)
      const slot = { job, token, asker: askerName(press.place, press.user), slots: PRESS_LIMITS.concurrency }
      await fairSlots.during(worker, slot, () =>
        inSpan('process press', { kind: 'consumer', attributes: attributesOf(press), parent }, () =>
          handlePress(press, hasCrashed, job, token),
        ),
      )
    }
    const worker: Worker = openWorker(name, process, { redis: deps.redis, concurrency: PRESS_LIMITS.concurrency, logger })
    worker.on('failed', (job, error) => {
      logger.warn({ press: job?.id, attempt: job?.attemptsMade, error: error.message }, 'press could not be answered')
    })
    return worker
  }

  const workers = Object.values(PRESS_QUEUES).map(open)

  return {
    start() {
      for (const worker of workers)
        worker.run().catch((error: unknown) => logger.error({ error: errorMessage(error) }, 'press worker ended'))
    },
    async close(graceMs) {
      await closeWorker({
        closed: Promise.all(workers.map(worker => worker.close())),
        inHand: () => inHand,
        graceMs,
        callOff: () => stopping.abort(),
        handBackMs: PRESS_LIMITS.handBackMs,
      })
    },
  }
}
