import { randomUUID } from 'node:crypto'
import { type Processor, Queue, Worker } from 'bullmq'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { repeat } from '../base/repeat.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { storeError } from '../store/store-error.ts'
import { DRAIN_PREFIX } from './drain-queue.ts'
import { freeFromGoneWorkers } from './gone-workers.ts'
import { QUEUE_LIMITS } from './limits.ts'

export interface OpenWorkerOptions {
  readonly redis: RedisClient
  readonly concurrency: number
  readonly logger: Logger
}

/**
 * Returns a BullMQ worker for a queue, with Clew's lock times. It also frees the jobs of dead workers. Call `run()` to start it.
 */
export function openWorker(queueName: string, processor: Processor, { redis, concurrency, logger }: OpenWorkerOptions): Worker {
  const name = randomUUID()
  const worker = new Worker(queueName, processor, {
    connection: redis,
    prefix: DRAIN_PREFIX,
    name,
    autorun: false,
    concurrency,
    lockDuration: QUEUE_LIMITS.lockMs,
    stalledInterval: QUEUE_LIMITS.stalledCheckMs,
    maxStalledCount: QUEUE_LIMITS.maxStalledCount,
  })
  worker.on(
    'error',
    rarely(error => logger.warn({ queue: queueName, error }, 'queue worker error')),
  )
  worker.on('stalled', job => logger.warn({ queue: queueName, job }, 'job of a dead worker taken over'))

  const queue = new Queue(queueName, { connection: redis, prefix: DRAIN_PREFIX })
  queue.on('error', error => logger.debug({ queue: queueName, error: error.message }, 'queue connection error'))
  const closing = new AbortController()
  const onError = (error: unknown) =>
    logger.debug({ queue: queueName, error: errorMessage(error) }, 'check for dead workers failed')
  const look = freeFromGoneWorkers({ redis, queue, name, now: Date.now })
  void repeat(look, { everyMs: QUEUE_LIMITS.goneCheckMs, onError }, closing.signal)
  worker.on('closing', () => {
    closing.abort()
    void queue.close()
  })
  return worker
}

/** Tells of each error at most once in `toldAgainMs`. A worker tries again many times a second while Redis is away or full. */
function rarely(tell: (error: string) => void): (error: Error) => void {
  const told = new Map<string, number>()
  return error => {
    // Replies of Redis that mean the same differ by the script.
    const text = error.name === 'ReplyError' ? storeError(error).message : error.message
    const now = performance.now()
    if (now - (told.get(text) ?? Number.NEGATIVE_INFINITY) < QUEUE_LIMITS.toldAgainMs) return
    // Some texts name a job.
    if (told.size >= QUEUE_LIMITS.knownErrors) told.clear()
    told.set(text, now)
    tell(text)
  }
}
