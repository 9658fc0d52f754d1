import { setTimeout as wait } from 'node:timers/promises'
import { ChatError } from '../../chat/error.ts'
import type { ChatPlace } from '../../chat/event.ts'
import { abortable } from '../../store/abortable.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { redisScript, runScript } from '../../store/redis/script.ts'
import { DELIVERY_LIMITS } from '../limits.ts'

/**
 * Spaces out the posts in one channel across all processes. Without it, all waiting posts would try again at once, and the
 * platform would refuse all but one. The spacing starts only after the platform has refused a post, because platforms allow short
 * bursts. Each post shortens the interval to the next, and a quiet time ends the spacing. Methods throw StoreError.
 */
export interface ChannelRateLimit {
  /**
   * Reserves the next time for a post in the channel, and waits until then.
   * @throws ChatError `rate_limited` if the wait would be too long
   */
  untilTurn(place: ChatPlace, signal: AbortSignal): Promise<void>
  /** Spaces out the posts in a channel from now on. Called after the platform has refused a post there. */
  begin(place: ChatPlace, retryAfterMs: number, signal: AbortSignal): Promise<void>
}

// The stored value has two numbers in milliseconds: the time of the next post, and the interval after it.
const TAKE = redisScript(`
  local next_turn, interval = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+)$')
  if not next_turn then return 0 end
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local turn = math.max(now, tonumber(next_turn))
  if turn - now > tonumber(ARGV[2]) then return now - turn end
  local following = math.floor(turn + interval) .. ' ' .. math.floor(interval * tonumber(ARGV[1]))
  redis.call('SET', KEYS[1], following, 'PX', turn - now + tonumber(ARGV[3]))
  return turn - now
`)

const BEGIN = redisScript(`
  local time = redis.call('TIME')
  local turn = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
  local next_turn = string.match(redis.call('GET', KEYS[1]) or '', '^%d+') or '0'
  local begun = math.floor(math.max(turn, next_turn)) .. ' ' .. ARGV[3]
  redis.call('SET', KEYS[1], begun, 'PX', tonumber(ARGV[1]) + tonumber(ARGV[2]))
`)

export function createChannelRateLimit(redis: RedisClient, options: { readonly intervalMs: number }): ChannelRateLimit {
  const keyOf = (place: ChatPlace) =>
    `clew:pace:{${[place.platform, place.workspace, place.channel].map(encodeURIComponent).join('/')}}:next`
  return {
    async untilTurn(place, signal) {
      const values = [DELIVERY_LIMITS.paceFactor, DELIVERY_LIMITS.paceSoonMs, DELIVERY_LIMITS.paceQuietMs]
      const turnInMs = Number(await abortable(runScript(redis, TAKE, [keyOf(place)], values), signal))
      if (turnInMs < 0) throw leftAlone(-turnInMs)
      if (turnInMs > 0) await wait(turnInMs, undefined, { signal })
    },
    async begin(place, retryAfterMs, signal) {
      await abortable(
        runScript(redis, BEGIN, [keyOf(place)], [Math.ceil(retryAfterMs), DELIVERY_LIMITS.paceQuietMs, options.intervalMs]),
        signal,
      )
    },
  }
}

/** Returns the error `rate_limited`, which the platform would give if it were asked now. */
export function leftAlone(retryAfterMs: number): ChatError {
  return new ChatError('The platform is to be left alone.', { kind: 'rate_limited', retryAfterMs })
}
