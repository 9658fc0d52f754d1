import { abortable } from '../store/abortable.ts'
import type { RedisClient } from '../store/redis-client.ts'
import { type RedisScript, redisScript, runScript } from '../store/redis-script.ts'
import { type AcceptedMessage, acceptedMessageSchema } from './accepted-message.ts'
import { FenceLostError } from './fence-lost-error.ts'
import { QUEUE_LIMITS } from './limits.ts'
import { threadKeys } from './thread-keys.ts'

/** The right to drain a thread. A later drain's token makes every earlier one worthless. */
export interface DrainToken {
  readonly thread: string
  readonly fence: number
}

/** The earliest message of a thread, with the number of its starts, this one included, that did not end in an orderly way. */
export type ThreadHead =
  | { readonly kind: 'message'; readonly accepted: AcceptedMessage; readonly starts: number }
  | { readonly kind: 'unreadable'; readonly messageId: string }
  | { readonly kind: 'empty' }

/** The messages that wait in threads. Everything but `begin` throws FenceLostError when the token is no longer the latest. */
export interface ThreadMessages {
  /** Takes the right to drain a thread, and starts its head. */
  begin(thread: string, signal: AbortSignal): Promise<{ readonly token: DrainToken; readonly head: ThreadHead }>
  startHead(token: DrainToken, signal: AbortSignal): Promise<ThreadHead>
  /** Takes back a start that ended in an orderly way before its message was done with. */
  forgetStart(token: DrainToken, messageId: string, signal: AbortSignal): Promise<void>
  /** Removes a message that has been answered, or never will be. @returns whether another waits */
  finish(token: DrainToken, messageId: string, signal: AbortSignal): Promise<boolean>
}

/** From the keys fence, pending, messages, starts. */
const HEAD = `
  local id = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
  if not id then return {fence, 'empty'} end
  return {fence, 'message', id, redis.call('HGET', KEYS[3], id) or '', redis.call('HINCRBY', KEYS[4], id, 1)}
`

const BEGIN = redisScript(`
  local fence = redis.call('INCR', KEYS[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  ${HEAD}
`)

const START_HEAD = redisScript(`
  local fence = ARGV[1]
  if redis.call('GET', KEYS[1]) ~= fence then return {fence, 'lost'} end
  ${HEAD}
`)

const FORGET_START = redisScript(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'lost' end
  redis.call('HINCRBY', KEYS[2], ARGV[2], -1)
  return 'done'
`)

const FINISH = redisScript(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'lost' end
  redis.call('ZREM', KEYS[2], ARGV[2])
  redis.call('HDEL', KEYS[3], ARGV[2])
  redis.call('HDEL', KEYS[4], ARGV[2])
  return redis.call('ZCARD', KEYS[2])
`)

export function createThreadMessages(redis: RedisClient): ThreadMessages {
  async function headBy(
    script: RedisScript,
    thread: string,
    value: number,
    signal: AbortSignal,
  ): Promise<{ readonly fence: number; readonly head: ThreadHead }> {
    const keys = threadKeys(thread)
    const where = [keys.fence, keys.pending, keys.messages, keys.starts]
    const reply = await abortable(runScript(redis, script, where, [value]), signal)
    const [number, kind, messageId, payload, starts] = Array.isArray(reply) ? reply.map(String) : []
    if (kind === 'lost') throw new FenceLostError(thread)
    const fence = Number(number)
    if (kind === 'empty' || messageId === undefined) return { fence, head: { kind: 'empty' } }
    const accepted = parseAccepted(payload ?? '')
    if (accepted === undefined) return { fence, head: { kind: 'unreadable', messageId } }
    return { fence, head: { kind: 'message', accepted, starts: Number(starts) } }
  }

  return {
    async begin(thread, signal) {
      const { fence, head } = await headBy(BEGIN, thread, QUEUE_LIMITS.fenceMs, signal)
      return { token: { thread, fence }, head }
    },
    async startHead({ thread, fence }, signal) {
      return (await headBy(START_HEAD, thread, fence, signal)).head
    },
    async forgetStart(token, messageId, signal) {
      const keys = threadKeys(token.thread)
      const reply = await abortable(runScript(redis, FORGET_START, [keys.fence, keys.starts], [token.fence, messageId]), signal)
      if (reply === 'lost') throw new FenceLostError(token.thread)
    },
    async finish(token, messageId, signal) {
      const keys = threadKeys(token.thread)
      const reply = await abortable(
        runScript(redis, FINISH, [keys.fence, keys.pending, keys.messages, keys.starts], [token.fence, messageId]),
        signal,
      )
      if (reply === 'lost') throw new FenceLostError(token.thread)
      return Number(reply) > 0
    },
  }
}

function parseAccepted(text: string): AcceptedMessage | undefined {
  try {
    return acceptedMessageSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
