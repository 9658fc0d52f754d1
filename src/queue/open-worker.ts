import { randomUUID } from 'node:crypto'
import { type Processor, Queue, Worker } from 'bullmq'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { repeat } from '../base/repeat.ts'
import type { RedisClient } from '../store/redis/client.ts'
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
  worker.on('error', error => logger.warn({ queue: queueName, error: error.message }, 'queue worker error'))
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
