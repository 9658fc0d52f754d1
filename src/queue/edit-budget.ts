import { abortable } from '../store/abortable.ts'
import type { RedisClient } from '../store/redis-client.ts'
import { redisScript, runScript } from '../store/redis-script.ts'

/**
 * The edits that all workers together may make in one workspace: a bucket that fills evenly and holds a tenth of a minute's worth.
 * Progress waits for it; answers take from it without waiting, so that it is progress that gives way.
 */
export interface EditBudget {
  /** Takes one edit if there is one. @returns 0, or the milliseconds until there may be one */
  tryTake(workspace: string, perMinute: number, signal: AbortSignal): Promise<number>
  /** Takes one edit whether or not there is one. */
  take(workspace: string, perMinute: number, signal: AbortSignal): Promise<void>
}

const TAKE = redisScript(`
  local per_minute, forced = tonumber(ARGV[1]), ARGV[2] == '1'
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local capacity = math.max(1, per_minute / 10)
  local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
  local tokens = tonumber(bucket[1]) or capacity
  local at = tonumber(bucket[2]) or now
  tokens = math.min(capacity, tokens + math.max(0, now - at) * per_minute / 60000)
  local wait = 0
  if forced then tokens = math.max(tokens - 1, -per_minute)
  elseif tokens >= 1 then tokens = tokens - 1
  else wait = math.ceil((1 - tokens) * 60000 / per_minute) end
  redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', now)
  redis.call('PEXPIRE', KEYS[1], 300000)
  return wait
`)

export function createEditBudget(redis: RedisClient): EditBudget {
  async function run(workspace: string, perMinute: number, forced: boolean, signal: AbortSignal): Promise<number> {
    const key = `clew:budget:{${encodeURIComponent(workspace)}}`
    return Number(await abortable(runScript(redis, TAKE, [key], [perMinute, forced ? '1' : '0']), signal))
  }
  return {
    tryTake: (workspace, perMinute, signal) => run(workspace, perMinute, false, signal),
    async take(workspace, perMinute, signal) {
      await run(workspace, perMinute, true, signal)
    },
  }
}
