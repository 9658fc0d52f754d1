import { abortable } from '../../store/abortable.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { redisScript, runScript } from '../../store/redis/script.ts'
import { DELIVERY_LIMITS } from '../limits.ts'

/** Limits the requests of all processes that share a platform's token. Methods throw StoreError. */
export interface TokenRateLimit {
  /**
   * Counts one request, if the limit allows it. The people who make many requests share only a part of the limit, so that they
   * cannot block the requests of other people.
   * @param asker the person for whom the request is made
   * @returns 0, or the milliseconds until the next try
   */
  take(asker: string, signal: AbortSignal): Promise<number>
  /** Stops the requests of all processes with this token for a time. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

const TAKE = redisScript(`
  local paused = redis.call('PTTL', KEYS[1])
  if paused > 0 then return paused end
  local taken = redis.call('HMGET', KEYS[2], 'all', 'of ' .. ARGV[3])
  local most = tonumber(taken[2] or 0) < tonumber(ARGV[4]) and ARGV[1] or ARGV[2]
  if tonumber(taken[1] or 0) >= tonumber(most) then
    return math.max(1, redis.call('PTTL', KEYS[2]))
  end
  redis.call('HINCRBY', KEYS[2], 'of ' .. ARGV[3], 1)
  if redis.call('HINCRBY', KEYS[2], 'all', 1) == 1 then redis.call('PEXPIRE', KEYS[2], 1000) end
  return 0
`)

const PAUSE = redisScript(`
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
`)

export function createTokenRateLimit(
  redis: RedisClient,
  options: { readonly platform: string; readonly perSecond: number },
): TokenRateLimit {
  const base = `clew:pace:{${options.platform}}`
  const keys = { paused: `${base}:paused`, taken: `${base}:taken` }
  const shareOf = (share: number) => Math.ceil(options.perSecond * share)
  return {
    async take(asker, signal) {
      const bounds = [options.perSecond, shareOf(DELIVERY_LIMITS.shareOfBusy), asker, shareOf(DELIVERY_LIMITS.shareOfFirst)]
      return Number(await abortable(runScript(redis, TAKE, [keys.paused, keys.taken], bounds), signal))
    },
    async pause(milliseconds, signal) {
      await abortable(runScript(redis, PAUSE, [keys.paused], [Math.ceil(milliseconds)]), signal)
    },
  }
}
