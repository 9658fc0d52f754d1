import type { ChatMessage } from '../bots/chat-event.ts'
import { errorMessage } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { RedisClient } from '../store/redis-client.ts'
import { redisScript, runScript } from '../store/redis-script.ts'
import { storeError } from '../store/store-error.ts'
import type { AcceptedMessage } from './accepted-message.ts'
import type { DrainQueue } from './drain-queue.ts'
import { QUEUE_LIMITS } from './limits.ts'
import { THREAD_INDEX, threadKeys, threadName } from './thread-keys.ts'

/** `ignored`: a reply in a thread that Clew was never called into. */
export type Acceptance =
  | { readonly outcome: 'accepted'; readonly accepted: AcceptedMessage }
  | { readonly outcome: 'duplicate' }
  | { readonly outcome: 'ignored' }

export interface Acceptor {
  /**
   * Writes a message to its thread, once. When this has returned, the message survives everything but the loss of Redis, and the platform may
   * be acknowledged; when it throws, nothing may be acknowledged, so that the platform delivers again.
   * @throws StoreError Redis is away (`store_unavailable`) or full (`store_full`)
   */
  accept(message: ChatMessage): Promise<Acceptance>
}

export interface AcceptorDeps {
  /** In the role of a producer, which fails fast. */
  readonly redis: RedisClient
  readonly queue: DrainQueue
  readonly newRunId: () => string
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}

// By Redis' own clock, which all processes share.
const TOUCH_INDEX = redisScript(`
  local time = redis.call('TIME')
  redis.call('ZADD', KEYS[1], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[1])
`)

const ACCEPT = redisScript(`
  local seen, pending, messages, called = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
  local id, order, payload, addressed, seen_ms, called_ms = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
  if addressed == '0' and redis.call('EXISTS', called) == 0 then return 'ignored' end
  if redis.call('EXISTS', seen) == 1 then return 'duplicate' end
  redis.call('SET', seen, '1', 'PX', seen_ms)
  redis.call('SET', called, '1', 'PX', called_ms)
  redis.call('HSET', messages, id, payload)
  redis.call('ZADD', pending, order, id)
  return 'accepted'
`)

export function createAcceptor(deps: AcceptorDeps): Acceptor {
  return {
    async accept(message) {
      const thread = threadName(message.place)
      const keys = threadKeys(thread)
      const accepted = { message, runId: deps.newRunId(), acceptedAt: deps.now() } satisfies AcceptedMessage
      // The index lies in another slot than the thread, so it comes first: a thread in it without messages harms nobody, the reverse would.
      if (!message.addressed && !(await exists(deps.redis, keys.called))) return { outcome: 'ignored' }
      await runScript(deps.redis, TOUCH_INDEX, [THREAD_INDEX], [thread])
      const outcome = await runScript(
        deps.redis,
        ACCEPT,
        [keys.seen(message.messageId), keys.pending, keys.messages, keys.called],
        [
          message.messageId,
          message.order,
          JSON.stringify(accepted),
          message.addressed ? '1' : '0',
          QUEUE_LIMITS.seenMs,
          QUEUE_LIMITS.calledMs,
        ],
      )
      if (outcome === 'ignored') return { outcome }
      await deps.queue.wake(thread, { afterActive: true }).catch((error: unknown) => {
        // The message is safe: the workers wake every thread of the index.
        deps.logger.warn({ thread, error: errorMessage(error) }, 'thread not woken at acceptance')
      })
      return outcome === 'accepted' ? { outcome, accepted } : { outcome: 'duplicate' }
    },
  }
}

async function exists(redis: RedisClient, key: string): Promise<boolean> {
  try {
    return (await redis.exists(key)) === 1
  } catch (error) {
    throw storeError(error)
  }
}
