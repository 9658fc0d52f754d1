import { abortable } from '../store/abortable.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { redisScript, runScript } from '../store/redis/script.ts'
import { HTTP_LIMITS } from './limits.ts'
import type { Token } from './tokens.ts'

// The script uses the clock of Redis, because all processes share that clock.
const TAKE = redisScript(`
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
    return math.max(1, redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] + ARGV[3] - now)
  end
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 0
`)

/**
 * Counts a turn of a token. A turn that is sent twice counts once.
 * @returns 0, or the milliseconds until the token may start another turn
 * @throws StoreError
 */
export async function takeTurn(redis: RedisClient, { id, rate }: Token, turn: string, signal: AbortSignal): Promise<number> {
  return Number(await abortable(runScript(redis, TAKE, [`clew:http:{${id}}:rate`], [turn, rate, HTTP_LIMITS.rateMs]), signal))
}
