import { Queue } from 'bullmq'
import type { ChatPress } from '../bots/chat-event.ts'
import type { Logger } from '../logger.ts'
import type { RedisClient } from '../store/redis-client.ts'
import { storeError } from '../store/store-error.ts'
import { DRAIN_PREFIX } from './drain-queue.ts'
import { PRESS_LIMITS } from './limits.ts'

export const PRESS_QUEUE = 'presses'

/** The queue of presses to be handled. */
export interface PressQueue {
  /** Writes a press, once however often the platform delivers it. When this has returned, the platform may be acknowledged. @throws StoreError */
  accept(press: ChatPress): Promise<void>
  close(): Promise<void>
}

export function createPressQueue(deps: { readonly redis: RedisClient; readonly logger: Logger }): PressQueue {
  const queue = new Queue(PRESS_QUEUE, { connection: deps.redis, prefix: DRAIN_PREFIX })
  queue.on('error', error => deps.logger.debug({ error: error.message }, 'press queue connection error'))
  return {
    async accept(press) {
      const { finishedJobs, attempts, firstRetryMs } = PRESS_LIMITS
      try {
        await queue.add('press', press, {
          // BullMQ takes no colon in it.
          jobId: encodeURIComponent(`${press.place.platform}/${press.pressId}`),
          attempts,
          backoff: { type: 'exponential', delay: firstRetryMs },
          removeOnComplete: finishedJobs,
          removeOnFail: finishedJobs,
        })
      } catch (error) {
        throw storeError(error)
      }
    },
    close: () => queue.close(),
  }
}
