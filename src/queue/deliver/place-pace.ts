import type { ChatPlace } from '../../chat/event.ts'
import { abortable } from '../../store/abortable.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { redisScript, runScript } from '../../store/redis/script.ts'

/**
 * Paces posts in one channel across all processes. Platforms allow short bursts, so pacing starts with a refusal and ends after a
 * quiet time. Without it, all waiting posts would try again at once, and all but one would be refused again. Methods throw
 * StoreError.
 */
export interface PlacePace {
  /**
   * Takes the next turn if it comes soon.
   * @returns `turnInMs`: wait this long, then post. `askInMs`: no turn is near; ask again after this long
   */
  take(place: ChatPlace, signal: AbortSignal): Promise<{ readonly turnInMs: number } | { readonly askInMs: number }>
  /** Starts pacing after a refused post. */
  begin(place: ChatPlace, retryAfterMs: number, signal: AbortSignal): Promise<void>
}

/** The request itself waits for a turn within this time. */
const SOON_MS = 2000
/** Pacing ends after this long without a post. */
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
