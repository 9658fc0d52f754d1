import { abortable } from '../../store/abortable.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { redisScript, runScript } from '../../store/redis/script.ts'

/** Limits the requests of all processes that share a platform's token. Methods throw StoreError. */
export interface TokenRateLimit {
  /** Counts one request, if the limit allows it. @returns 0, or the milliseconds until the next try */
  take(signal: AbortSignal): Promise<number>
  /** Stops the requests of all processes for a time. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

const TAKE = redisScript(`
  local paused = redis.call('PTTL', KEYS[1])
  if paused > 0 then return paused end
  local requests = redis.call('INCR', KEYS[2])
  if requests == 1 then redis.call('PEXPIRE', KEYS[2], 1000) end
  if requests <= tonumber(ARGV[1]) then return 0 end
  return math.max(1, redis.call('PTTL', KEYS[2]))
`)

const PAUSE = redisScript(`
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
`)

export function createTokenRateLimit(
  redis: RedisClient,
  options: { readonly platform: string; readonly perSecond: number },
): TokenRateLimit {
  const base = `clew:pace:{${options.platform}}`
  const keys = { paused: `${base}:paused`, requests: `${base}:requests` }
  return {
    async take(signal) {
      return Number(await abortable(runScript(redis, TAKE, [keys.paused, keys.requests], [options.perSecond]), signal))
    },
    async pause(milliseconds, signal) {
      await abortable(runScript(redis, PAUSE, [keys.paused], [Math.ceil(milliseconds)]), signal)
    },
  }
}
