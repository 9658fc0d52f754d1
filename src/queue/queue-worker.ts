import { setTimeout as wait } from 'node:timers/promises'
import { DelayedError, type Job, WaitingError, Worker } from 'bullmq'
import { doneWithin } from '../done-within.ts'
import { errorMessage } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { RedisClient } from '../store/redis-client.ts'
import type { AcceptedMessage } from './accepted-message.ts'
import type { Admission } from './admission.ts'
import type { ChatDestination } from './chat-destination.ts'
import { closeWorker } from './close-worker.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import { createDrainQueue, DRAIN_PREFIX, DRAIN_QUEUE, drainJobSchema } from './drain-queue.ts'
import { createEditBudget } from './edit-budget.ts'
import { FenceLostError } from './fence-lost-error.ts'
import type { LentSlots } from './lent-slots.ts'
import { QUEUE_LIMITS } from './limits.ts'
import { createRecordWatcher } from './record-watcher.ts'
import { createRunCancellation } from './run-cancellation.ts'
import { createRunLedger } from './run-ledger.ts'
import { type AnswerMessage, DrainStoppedError, drainThread, type ThreadDrainDeps } from './thread-drain.ts'
import { createThreadMessages, type DrainToken } from './thread-messages.ts'
import { sweepThreads } from './thread-sweep.ts'

export interface QueueWorker {
  /** Starts taking threads. @throws StoreError */
  start(): Promise<void>
  /** Leaves what comes to other workers; what runs goes on. */
  stopTaking(): void
  /**
   * Takes nothing new, gives running answers `graceMs` to finish, then hands their messages back, still first in their threads. What was handed
   * in is not closed.
   */
  close(graceMs: number): Promise<void>
}

export interface QueueWorkerDeps {
  /** In the role of a worker, which waits for Redis to come back. */
  readonly redis: RedisClient
  readonly admission: Admission
  readonly answer: AnswerMessage
  /** By platform. */
  readonly destinations: Readonly<Record<string, ChatDestination>>
  /** Threads side by side. */
  readonly concurrency: number
  /** Slots of threads that only wait; as many others are taken beside. */
  readonly lentSlots?: LentSlots
  readonly describeError?: ThreadDrainDeps['describeError']
  /** How long a request that was given up may still take to arrive; for tests. */
  readonly landingMs?: number
  /** Between two edits of progress; for tests. */
  readonly progressIntervalMs?: number
  readonly now: () => number
  readonly logger: Logger
}

/** After the grace, what an aborted answer and a post under way may still take. */
const HAND_BACK_MS = 8000

export function createQueueWorker(deps: QueueWorkerDeps): QueueWorker {
  const { redis, logger } = deps
  const queue = createDrainQueue({ redis, logger })
  const watcher = createRecordWatcher(redis)
  const budget = createEditBudget(redis)
  const landing = deps.landingMs === undefined ? {} : { landingMs: deps.landingMs }
  const interval = deps.progressIntervalMs === undefined ? {} : { progressIntervalMs: deps.progressIntervalMs }
  const drains = new Map<string, AbortController>()
  const stopping = new AbortController()
  let sweeping = Promise.resolve()
  let closed: Promise<void> | undefined

  function deliveryOf(accepted: AcceptedMessage, token: DrainToken): Delivery | undefined {
    const destination = deps.destinations[accepted.message.place.platform]
    if (destination === undefined) return undefined
    const ledger = createRunLedger(redis, { ...token, ...landing, runId: accepted.runId })
    return createDelivery({ ...landing, ...interval, accepted, destination, ledger, watcher, budget, now: deps.now })
  }

  const drainDeps = {
    messages: createThreadMessages(redis),
    cancellation: createRunCancellation(redis, watcher),
    admission: deps.admission,
    answer: deps.answer,
    deliveryOf,
    async timeZoneOf({ message }, signal) {
      return deps.destinations[message.place.platform]?.outbox.timeZoneOf(message.place, message.author, signal)
    },
    describeError: deps.describeError ?? describeError,
    isStopping: () => stopping.signal.aborted,
    now: deps.now,
    logger,
  } satisfies ThreadDrainDeps

  async function process(job: Job, token: string | undefined): Promise<void> {
    const { thread } = drainJobSchema.parse(job.data)
    const jobId = job.id ?? ''
    const drain = new AbortController()
    drains.set(jobId, drain)
    try {
      const outcome = await drainThread(thread, drainDeps, drain.signal)
      if (outcome.kind === 'wait') {
        // Spends no attempt and leaves the other threads alone, unlike a rate limit on the worker.
        await job.moveToDelayed(deps.now() + outcome.waitMs, token)
        throw new DelayedError()
      }
      if (outcome.kind === 'stopped') {
        await job.moveToWait(token)
        throw new WaitingError()
      }
    } finally {
      // After a lost lock the same thread may be back here already, in a drain of its own.
      if (drains.get(jobId) === drain) drains.delete(jobId)
    }
  }

  const worker = new Worker(DRAIN_QUEUE, process, {
    connection: redis,
    prefix: DRAIN_PREFIX,
    autorun: false,
    concurrency: deps.concurrency,
    lockDuration: QUEUE_LIMITS.lockMs,
    stalledInterval: QUEUE_LIMITS.stalledCheckMs,
    maxStalledCount: QUEUE_LIMITS.maxStalledCount,
  })
  worker.on('error', error => logger.warn({ error: error.message }, 'queue worker error'))
  worker.on('stalled', jobId => logger.warn({ job: jobId }, 'thread taken over from a worker that is gone'))
  worker.on('lockRenewalFailed', jobIds => {
    for (const jobId of jobIds) drains.get(jobId)?.abort(new FenceLostError(jobId))
  })
  worker.on('failed', (job, error) => {
    logger.error({ job: job?.id, error: error.message }, 'drain failed; its thread is woken again')
    const parsed = drainJobSchema.safeParse(job?.data)
    if (!parsed.success) return
    queue.wake(parsed.data.thread, { afterActive: false, delayMs: QUEUE_LIMITS.wakeDelayMs }).catch((wakeError: unknown) => {
      logger.warn({ thread: parsed.data.thread, error: errorMessage(wakeError) }, 'thread left to the next sweep')
    })
  })

  deps.lentSlots?.listen(lent => {
    const isMore = deps.concurrency + lent > worker.concurrency
    worker.concurrency = deps.concurrency + lent
    if (isMore && !stopping.signal.aborted)
      lookAgain().catch((error: unknown) => {
        logger.warn({ error: errorMessage(error) }, 'no thread is taken in place of one that waits')
      })
  })

  /** With all slots taken, BullMQ looks at their number again when a job ends. One that is resumed does so at once; jobs that run do not notice. */
  async function lookAgain(): Promise<void> {
    await worker.pause(true)
    await worker.resume()
  }

  async function sweepUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      await wait(QUEUE_LIMITS.sweepMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      await sweepThreads({ redis, queue }).catch((error: unknown) => {
        logger.warn({ error: errorMessage(error) }, 'threads could not be swept')
      })
    }
  }

  function stopTaking(): Promise<void> {
    stopping.abort()
    closed ??= worker.close()
    return closed
  }

  return {
    async start() {
      await sweepThreads({ redis, queue })
      worker.run().catch((error: unknown) => logger.error({ error: errorMessage(error) }, 'queue worker ended'))
      sweeping = sweepUntilStopped()
    },

    stopTaking() {
      stopTaking().catch((error: unknown) => logger.warn({ error: errorMessage(error) }, 'queue worker did not close'))
    },

    async close(graceMs) {
      const callOff = () => {
        if (drains.size === 0) return
        logger.info({ threads: drains.size }, 'grace is over: handing unfinished messages back')
        for (const drain of drains.values()) drain.abort(new DrainStoppedError())
      }
      const hasEnded = await closeWorker({
        closed: stopTaking(),
        inHand: () => drains.size,
        graceMs,
        callOff,
        handBackMs: HAND_BACK_MS,
      })
      if (!hasEnded) logger.warn({ threads: drains.size }, 'what is left is taken over as from a killed worker')
      await doneWithin(QUEUE_LIMITS.idleCloseMs, sweeping)
      await watcher.close()
      await queue.close()
    },
  }
}

function describeError(_error: unknown, runId: string): string {
  return `Something went wrong on my side, so I cannot answer this. Please ask again; if it stays so, your operator finds it under ${runId}.`
}
