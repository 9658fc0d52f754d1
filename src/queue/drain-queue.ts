import { Queue } from 'bullmq'
import { z } from 'zod'
import type { Logger } from '../base/logger.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { storeError } from '../store/store-error.ts'
import { fairPriority } from './fair-priority.ts'
import { QUEUE_LIMITS } from './limits.ts'

export const DRAIN_QUEUE = 'threads'
/** The hash tag in braces puts all keys of BullMQ into one slot of a Redis Cluster, because a script can use only one slot. */
export const DRAIN_PREFIX = '{clew}'

/** A job of the queue. `asker` is missing in jobs that an earlier version queued. */
export const drainJobSchema = z.object({ thread: z.string().min(1), asker: z.string().optional() })

/**
 * Queues threads with messages to answer, each thread at most once. People take turns, so a flood from one person does not delay
 * others.
 */
export interface DrainQueue {
  /**
   * Queues a thread. It takes the turn of `asker`, the person who wrote its next message. `afterActive`: if the thread is being
   * drained now (its messages are being answered), it is drained once more afterwards. Otherwise, a message that arrives during
   * the current drain could be missed.
   * @throws StoreError
   */
  wake(
    thread: string,
    options: { readonly asker: string; readonly afterActive: boolean; readonly delayMs?: number },
  ): Promise<void>
  close(): Promise<void>
}

export function createDrainQueue(deps: { readonly redis: RedisClient; readonly logger: Logger }): DrainQueue {
  const queue = new Queue(DRAIN_QUEUE, { connection: deps.redis, prefix: DRAIN_PREFIX })
  queue.on('error', error => deps.logger.debug({ error: error.message }, 'queue connection error'))
  return {
    async wake(thread, { asker, afterActive, delayMs = 0 }) {
      const { age, count } = QUEUE_LIMITS.finishedJobs
      const job = { thread, asker } satisfies z.infer<typeof drainJobSchema>
      const priority = await fairPriority(deps.redis, queue, asker, { id: thread, counts: afterActive })
      try {
        await queue.add('drain', job, {
          deduplication: { id: thread, keepLastIfActive: afterActive },
          priority,
          delay: delayMs,
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
