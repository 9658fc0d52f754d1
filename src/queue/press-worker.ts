import { type Job, UnrecoverableError, Worker } from 'bullmq'
import type { PressHandler } from '../bots/actions/press-handler.ts'
import { ChatError } from '../bots/chat-error.ts'
import { type ChatPress, chatPressSchema } from '../bots/chat-event.ts'
import type { PrivateReply } from '../bots/reply.ts'
import { ClewError, errorMessage } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { RedisClient } from '../store/redis-client.ts'
import { StoreError } from '../store/store-error.ts'
import type { ChatDestination } from './chat-destination.ts'
import { closeWorker } from './close-worker.ts'
import { DRAIN_PREFIX } from './drain-queue.ts'
import { PRESS_LIMITS, QUEUE_LIMITS } from './limits.ts'
import { callOutbox, requestInTime } from './outbox-call.ts'
import { PRESS_QUEUE } from './press-queue.ts'

export interface PressWorker {
  start(): void
  /** Takes nothing new and gives what is under way `graceMs`; what is not done then is handled by another worker. */
  close(graceMs: number): Promise<void>
}

export interface PressWorkerDeps {
  /** In the role of a worker. */
  readonly redis: RedisClient
  /** Called again for the same press when its worker died or Redis was away: doing it twice must come to the same. */
  readonly handle: PressHandler
  readonly destinations: Readonly<Record<string, Pick<ChatDestination, 'outbox'>>>
  readonly logger: Logger
}

const FAILED: PrivateReply = { markdown: 'Something went wrong on my side. Please press again in a minute.' }

/** Handles presses beside the threads, so that a Stop is heard however busy those are. */
export function createPressWorker(deps: PressWorkerDeps): PressWorker {
  const { logger } = deps
  const stopping = new AbortController()
  let inHand = 0

  async function replyTo(press: ChatPress, isLastAttempt: boolean, log: Logger): Promise<PrivateReply | undefined> {
    try {
      return await deps.handle(press, stopping.signal)
    } catch (error) {
      const isPassing = error instanceof StoreError || (error instanceof ClewError && error.retryable)
      if (stopping.signal.aborted || (isPassing && !isLastAttempt)) throw error
      log.error({ error: errorMessage(error) }, 'press failed')
      return FAILED
    }
  }

  async function process(job: Job): Promise<void> {
    inHand += 1
    try {
      await answer(job)
    } finally {
      inHand -= 1
    }
  }

  async function answer(job: Job): Promise<void> {
    const press = chatPressSchema.parse(job.data)
    const log = logger.child({ press: press.pressId, action: press.pressed.action, run: press.pressed.runId })
    const outbox = deps.destinations[press.place.platform]?.outbox
    // Another worker may reach that platform.
    if (outbox === undefined) throw new Error(`no way to ${press.place.platform} from this worker`)
    const reply = await replyTo(press, job.attemptsMade + 1 >= PRESS_LIMITS.attempts, log)
    if (reply === undefined) return
    try {
      await callOutbox(
        () => requestInTime(signal => outbox.answerPress(press, reply, signal), stopping.signal, PRESS_LIMITS.requestMs),
        stopping.signal,
      )
    } catch (error) {
      if (!(error instanceof ChatError) || error.retryable) throw error
      throw new UnrecoverableError(error.message)
    }
    log.info('press answered')
  }

  const worker = new Worker(PRESS_QUEUE, process, {
    connection: deps.redis,
    prefix: DRAIN_PREFIX,
    autorun: false,
    concurrency: PRESS_LIMITS.concurrency,
    lockDuration: QUEUE_LIMITS.lockMs,
    stalledInterval: QUEUE_LIMITS.stalledCheckMs,
    maxStalledCount: PRESS_LIMITS.attempts,
  })
  worker.on('error', error => logger.warn({ error: error.message }, 'press worker error'))
  worker.on('failed', (job, error) => {
    logger.warn({ press: job?.id, attempt: job?.attemptsMade, error: error.message }, 'press could not be answered')
  })

  return {
    start() {
      worker.run().catch((error: unknown) => logger.error({ error: errorMessage(error) }, 'press worker ended'))
    },
    async close(graceMs) {
      await closeWorker({
        closed: worker.close(),
        inHand: () => inHand,
        graceMs,
        callOff: () => stopping.abort(),
        handBackMs: PRESS_LIMITS.handBackMs,
      })
    },
  }
}
