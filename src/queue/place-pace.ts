import type { ChatPlace } from '../bots/chat-event.ts'
import { abortable } from '../store/abortable.ts'
import type { RedisClient } from '../store/redis-client.ts'
import { redisScript, runScript } from '../store/redis-script.ts'

/**
 * The pace of posts in one channel, kept by all processes together. Platforms let short bursts through, so it begins with a refusal: from then on posts go
 * one by one, until there has been quiet. Without it, everybody who waits asks again at the same moment, and all but one are refused again.
 * Methods throw StoreError.
 */
export interface PlacePace {
  /**
   * Takes the next turn, if it comes soon.
   * @returns `turnInMs`: to be waited for before the post. `askInMs`: there is no turn soon; ask again then
   */
  take(place: ChatPlace, signal: AbortSignal): Promise<{ readonly turnInMs: number } | { readonly askInMs: number }>
  /** A post there was refused for so long. */
  begin(place: ChatPlace, retryAfterMs: number, signal: AbortSignal): Promise<void>
}

/** A turn this far ahead is waited for, as part of the request. */
const SOON_MS = 2000
/** The pace ends when nobody has posted there for so long. */
const QUIET_MS = 30_000

// The key holds the time of the next turn.
const TAKE = redisScript(`
  local next_turn = redis.call('GET', KEYS[1])
  if not next_turn then return 0 end
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local turn = math.max(now, tonumber(next_turn))
  if turn - now > tonumber(ARGV[2]) then return now - turn end
  redis.call('SET', KEYS[1], turn + tonumber(ARGV[1]), 'PX', turn - now + tonumber(ARGV[3]))
  return turn - now
`)

const BEGIN = redisScript(`
  local time = redis.call('TIME')
  local turn = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
  local next_turn = tonumber(redis.call('GET', KEYS[1]) or '0')
  redis.call('SET', KEYS[1], math.max(turn, next_turn), 'PX', tonumber(ARGV[1]) + tonumber(ARGV[2]))
`)

export function createPlacePace(redis: RedisClient, options: { readonly intervalMs: number }): PlacePace {
  const keyOf = (place: ChatPlace) =>
    `clew:pace:{${[place.platform, place.workspace, place.channel].map(encodeURIComponent).join('/')}}:next`
  return {
    async take(place, signal) {
      const values = [options.intervalMs, SOON_MS, QUIET_MS]
      const wait = Number(await abortable(runScript(redis, TAKE, [keyOf(place)], values), signal))
      return wait < 0 ? { askInMs: -wait } : { turnInMs: wait }
    },
    async begin(place, retryAfterMs, signal) {
      await abortable(runScript(redis, BEGIN, [keyOf(place)], [Math.ceil(retryAfterMs), QUIET_MS]), signal)
    },
  }
}
