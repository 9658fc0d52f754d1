import { abortable } from '../../store/abortable.ts'
import { callRedis } from '../../store/redis/call-redis.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { type RedisScript, redisScript, runScript } from '../../store/redis/script.ts'
import { type AcceptedMessage, readAccepted } from '../accept/accepted-message.ts'
import { FenceLostError } from '../fence-lost-error.ts'
import { QUEUE_LIMITS } from '../limits.ts'
import { threadKeys } from '../thread-keys.ts'

/** The right to drain a thread, which means to answer its messages. The right ends when a later drain of the thread begins. */
export interface DrainToken {
  readonly thread: string
  readonly fence: number
}

/** The first message that waits in a thread. */
export interface MessageHead {
  readonly kind: 'message'
  readonly accepted: AcceptedMessage
  /**
   * How many times this message was started, including the current start. A start that ends in an orderly way is subtracted. So
   * each earlier start that is counted ended with the death of its worker.
   */
  readonly starts: number
  /** How many lone processes this message has killed. A lone process handles one task at a time. */
  readonly crashes: number
}

export type ThreadHead =
  | MessageHead
  | { readonly kind: 'unreadable'; readonly messageId: string; readonly payload: string }
  | { readonly kind: 'empty' }

/**
 * The messages that wait in threads. If another worker has taken over a thread, all methods except `begin` and `isRolledBack`
 * throw FenceLostError.
 */
export interface ThreadMessages {
  /** Takes the right to drain a thread, and counts a start of its first message. */
  begin(thread: string, signal: AbortSignal): Promise<{ readonly token: DrainToken; readonly head: ThreadHead }>
  /** Whether Redis has lost the right to drain the thread, as after a failover. Rights only grow, so a lower one is an older state. */
  isRolledBack(token: DrainToken, signal: AbortSignal): Promise<boolean>
  /** Subtracts one start from the count that `begin` keeps, because the start ended without a crash. */
  forgetStart(token: DrainToken, messageId: string, signal: AbortSignal): Promise<void>
  /** Counts a crash: a message has killed its lone process. Does nothing if the message was already answered. */
  noteCrash(token: DrainToken, messageId: string, signal: AbortSignal): Promise<void>
  /**
   * Removes a message that was answered or given up.
   * @returns whether another message waits in the thread
   */
  finish(token: DrainToken, messageId: string, signal: AbortSignal): Promise<boolean>
}

const BEGIN = redisScript(`
  local fence = redis.call('INCR', KEYS[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  local id = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
  if not id then return {fence, 'empty'} end
  local starts = redis.call('HINCRBY', KEYS[4], id, 1)
  return {fence, 'message', id, redis.call('HGET', KEYS[3], id) or '', starts, redis.call('HGET', KEYS[5], id) or '0'}
`)

const FORGET_START = redisScript(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'lost' end
  redis.call('HINCRBY', KEYS[2], ARGV[2], -1)
  return 'done'
`)

const NOTE_CRASH = redisScript(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'lost' end
  if redis.call('ZSCORE', KEYS[2], ARGV[2]) then redis.call('HINCRBY', KEYS[3], ARGV[2], 1) end
  return 'done'
`)

const FINISH = redisScript(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'lost' end
  redis.call('ZREM', KEYS[2], ARGV[2])
  redis.call('HDEL', KEYS[3], ARGV[2])
  redis.call('HDEL', KEYS[4], ARGV[2])
  redis.call('HDEL', KEYS[5], ARGV[2])
  return redis.call('ZCARD', KEYS[2])
`)

export function createThreadMessages(redis: RedisClient): ThreadMessages {
  async function asLatest(
    { thread, fence }: DrainToken,
    script: RedisScript,
    keys: readonly string[],
    messageId: string,
    signal: AbortSignal,
  ): Promise<unknown> {
    const reply = await abortable(runScript(redis, script, keys, [fence, messageId]), signal)
    if (reply === 'lost') throw new FenceLostError(thread)
    return reply
  }

  return {
    async begin(thread, signal) {
      const keys = threadKeys(thread)
      const where = [keys.fence, keys.pending, keys.messages, keys.starts, keys.crashes]
      const reply = await abortable(runScript(redis, BEGIN, where, [QUEUE_LIMITS.fenceMs]), signal)
      const [fence, kind, messageId, payload = '', starts, crashes] = Array.isArray(reply) ? reply.map(String) : []
      const token = { thread, fence: Number(fence) }
      if (kind === 'empty' || messageId === undefined) return { token, head: { kind: 'empty' } }
      const accepted = readAccepted(redis.stateKey, thread, payload)
      if (accepted === undefined) return { token, head: { kind: 'unreadable', messageId, payload } }
      return { token, head: { kind: 'message', accepted, starts: Number(starts), crashes: Number(crashes) } }
    },
    async isRolledBack({ thread, fence }, signal) {
      return Number(await callRedis(redis.get(threadKeys(thread).fence), signal)) < fence
    },
    async forgetStart(token, messageId, signal) {
      const { fence, starts } = threadKeys(token.thread)
      await asLatest(token, FORGET_START, [fence, starts], messageId, signal)
    },
    async noteCrash(token, messageId, signal) {
      const { fence, pending, crashes } = threadKeys(token.thread)
      await asLatest(token, NOTE_CRASH, [fence, pending, crashes], messageId, signal)
    },
    async finish(token, messageId, signal) {
      const { fence, pending, messages, starts, crashes } = threadKeys(token.thread)
      const keys = [fence, pending, messages, starts, crashes]
      return Number(await asLatest(token, FINISH, keys, messageId, signal)) > 0
    },
  }
}
