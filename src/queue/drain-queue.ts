import { Queue } from 'bullmq'
import { z } from 'zod'
import type { Logger } from '../logger.ts'
import type { RedisClient } from '../store/redis-client.ts'
import { storeError } from '../store/store-error.ts'
import { QUEUE_LIMITS } from './limits.ts'

export const DRAIN_QUEUE = 'threads'
/** BullMQ's keys share a hash tag of their own (Redis Cluster). */
export const DRAIN_PREFIX = '{clew}'

export const drainJobSchema = z.object({ thread: z.string().min(1) })

/** The queue of threads to drain. A thread is in it once, however often it is woken. */
export interface DrainQueue {
  /**
   * Has the thread drained. `afterActive`: if it is being drained right now, once more after that (a message may have come after the look).
   * @throws StoreError
   */
  wake(thread: string, options: { readonly afterActive: boolean; readonly delayMs?: number }): Promise<void>
  close(): Promise<void>
}

export function createDrainQueue(deps: { readonly redis: RedisClient; readonly logger: Logger }): DrainQueue {
  const queue = new Queue(DRAIN_QUEUE, { connection: deps.redis, prefix: DRAIN_PREFIX })
  queue.on('error', error => deps.logger.debug({ error: error.message }, 'queue connection error'))
  return {
    async wake(thread, options) {
      const { age, count } = QUEUE_LIMITS.finishedJobs
      const job = { thread } satisfies z.infer<typeof drainJobSchema>
      try {
        await queue.add('drain', job, {
          deduplication: { id: thread, keepLastIfActive: options.afterActive },
          delay: options.delayMs ?? 0,
          removeOnComplete: { age, count },
          removeOnFail: { age, count },
        })
      } catch (error) {
        throw storeError(error)
      }
    },
    close: () => queue.close(),
  }
}
