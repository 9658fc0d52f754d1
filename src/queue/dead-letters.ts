import { z } from 'zod'
import { abortable } from '../store/abortable.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { redisScript, runScript } from '../store/redis/script.ts'
import { DEAD_LETTER_LIMITS } from './limits.ts'
import { DEAD_LETTERS } from './thread-keys.ts'

const deadLetterSchema = z.object({
  thread: z.string(),
  messageId: z.string(),
  /** The reason why Clew could not answer the message. The operator reads it. */
  reason: z.string(),
  /** The message as it was stored, even if it is unreadable. */
  payload: z.string(),
})
export type DeadLetter = z.infer<typeof deadLetterSchema>

/**
 * Stores messages that Clew gave up, so that the operator finds them. Clew could not answer them, and could not tell their
 * authors either.
 */
export interface DeadLetters {
  /**
   * Stores a dead letter, which is a message that was given up. Storing the same letter again has no effect.
   * @throws StoreError
   */
  keep(letter: DeadLetter, signal: AbortSignal): Promise<void>
}

// The script uses the clock of Redis, because all processes share that clock.
const KEEP = redisScript(`
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZADD', KEYS[1], 'NX', now, ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
`)

export function createDeadLetters(redis: RedisClient): DeadLetters {
  return {
    async keep(letter, signal) {
      const { retentionMs, most } = DEAD_LETTER_LIMITS
      await abortable(runScript(redis, KEEP, [DEAD_LETTERS], [JSON.stringify(letter), retentionMs, most]), signal)
    },
  }
}
