import { abortable } from '../store/abortable.ts'
import type { RedisClient } from '../store/redis-client.ts'
import { redisScript, runScript } from '../store/redis-script.ts'
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
  begin(thread: string, signal: AbortSignal): Promise<DrainToken>
  startHead(token: DrainToken, signal: AbortSignal): Promise<ThreadHead>
  /** Takes back a start that ended in an orderly way before its message was done with. */
  forgetStart(token: DrainToken, messageId: string, signal: AbortSignal): Promise<void>
  /** Removes a message that has been answered, or never will be. */
  finish(token: DrainToken, messageId: string, signal: AbortSignal): Promise<void>
}

const BEGIN = redisScript(`
  local fence = redis.call('INCR', KEYS[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return fence
`)

const START_HEAD = redisScript(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'lost'} end
  local id = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
  if not id then return {'empty'} end
  return {'message', id, redis.call('HGET', KEYS[3], id) or '', redis.call('HINCRBY', KEYS[4], id, 1)}
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
  return 'done'
`)

export function createThreadMessages(redis: RedisClient): ThreadMessages {
  return {
    async begin(thread, signal) {
      const fence = await abortable(runScript(redis, BEGIN, [threadKeys(thread).fence], [QUEUE_LIMITS.fenceMs]), signal)
      return { thread, fence: Number(fence) }
    },
    async startHead(token, signal) {
      const keys = threadKeys(token.thread)
      const reply = await abortable(
        runScript(redis, START_HEAD, [keys.fence, keys.pending, keys.messages, keys.starts], [token.fence]),
        signal,
      )
      const [kind, messageId, payload, starts] = Array.isArray(reply) ? reply.map(String) : []
      if (kind === 'lost') throw new FenceLostError(token.thread)
      if (kind === 'empty' || messageId === undefined) return { kind: 'empty' }
      const accepted = parseAccepted(payload ?? '')
      return accepted === undefined ? { kind: 'unreadable', messageId } : { kind: 'message', accepted, starts: Number(starts) }
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
