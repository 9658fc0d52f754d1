import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../base/text/parse-json.ts'
import { abortable } from '../store/abortable.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { redisScript, runScript } from '../store/redis/script.ts'
import { type AcceptedMessage, readAccepted, writeAccepted } from './accept/accepted-message.ts'
import { DEAD_LETTER_LIMITS } from './limits.ts'
import { DEAD_LETTERS } from './thread-keys.ts'

const storedSchema = z.object({
  thread: z.string(),
  messageId: z.string(),
  /** The reason why Clew could not answer the message. The operator reads it. */
  reason: z.string(),
  /** The message as its thread held it, with its signature. It may be unreadable. */
  payload: z.string(),
})

/** A message that Clew gives up. */
export interface DeadLetter extends Omit<z.infer<typeof storedSchema>, 'payload'> {
  /** The message, or its stored text if that cannot be read. */
  readonly message: AcceptedMessage | string
}

export interface KeptLetter {
  /** The id of the message's run. A message that cannot be read has an id of its own. */
  readonly id: string
  /** When the message was given up. Unix time in milliseconds. */
  readonly givenUpAt: number
  readonly thread: string
  readonly reason: string
  /** Undefined if the message cannot be read. */
  readonly accepted: AcceptedMessage | undefined
  /** The letter as it is stored. */
  readonly text: string
}

/**
 * Stores messages that Clew gave up, so that the operator finds them. Clew could not answer them, and could not tell their
 * authors either.
 */
export interface DeadLetters {
  /**
   * Stores a dead letter, which is a message that was given up. Storing the same letter again only renews its time.
   * @throws StoreError
   */
  keep(letter: DeadLetter, signal: AbortSignal): Promise<void>
  /**
   * Returns the letters, the latest first.
   * @throws StoreError
   */
  list(signal: AbortSignal): Promise<readonly KeptLetter[]>
  /**
   * Forgets a letter. It stays if its message was given up again in the meantime.
   * @throws StoreError
   */
  drop(letter: KeptLetter, signal: AbortSignal): Promise<void>
}

// The script uses the clock of Redis, because all processes share that clock.
const KEEP = redisScript(`
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
`)

const DROP = redisScript(`
  if redis.call('ZSCORE', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('ZREM', KEYS[1], ARGV[1]) end
`)

export function createDeadLetters(redis: RedisClient): DeadLetters {
  return {
    async keep({ message, ...letter }, signal) {
      const { retentionMs, most } = DEAD_LETTER_LIMITS
      const payload = typeof message === 'string' ? message : writeAccepted(redis.stateKey, letter.thread, message)
      const text = JSON.stringify({ ...letter, payload } satisfies z.infer<typeof storedSchema>)
      await abortable(runScript(redis, KEEP, [DEAD_LETTERS], [text, retentionMs, most]), signal)
    },
    async list(signal) {
      const stored = await callRedis(redis.zrange(DEAD_LETTERS, '0', '-1', 'WITHSCORES'), signal)
      const letters = Array.from({ length: stored.length / 2 }, (_, index) => {
        const [text = '', givenUpAt] = stored.slice(2 * index)
        const { thread = '', reason = '', payload = '' } = storedSchema.safeParse(parseJson(text)).data ?? {}
        const accepted = readAccepted(redis.stateKey, thread, payload)
        const id = accepted?.runId ?? `letter_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
        return { id, givenUpAt: Number(givenUpAt), thread, reason, accepted, text }
      })
      return letters.reverse()
    },
    async drop({ text, givenUpAt }, signal) {
      await abortable(runScript(redis, DROP, [DEAD_LETTERS], [text, givenUpAt]), signal)
    },
  }
}
