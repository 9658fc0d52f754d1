import { abortable } from '../../store/abortable.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { redisScript, runScript } from '../../store/redis/script.ts'
import { DELIVERY_LIMITS } from '../limits.ts'

/**
 * Counts the edits that all workers make in one workspace, with a token bucket. The bucket holds the edits of one minute and
 * refills evenly. Answers never wait for an edit. To make this possible, progress always leaves one edit for each run whose
 * answer is not shown yet.
 */
export interface EditBudget {
  /** Reserves an edit for the answer of a run. */
  expect(workspace: string, runId: string, signal: AbortSignal): Promise<void>
  /**
   * Takes one edit for progress, if enough remain for the answers.
   * @param isAwaited whether people wait for this edit; if not, half of the bucket must remain
   * @returns 0, or the milliseconds to wait before the next try
   */
  tryTake(workspace: string, perMinute: number, isAwaited: boolean, signal: AbortSignal): Promise<number>
  /** Takes the edit that was reserved for a run's answer, even from an empty bucket. The reservation then ends. */
  take(workspace: string, runId: string, perMinute: number, signal: AbortSignal): Promise<void>
}

const EXPECT = redisScript(`
  local time = redis.call('TIME')
  redis.call('ZADD', KEYS[1], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
`)

const TAKE = redisScript(`
  local per_minute, answered = tonumber(ARGV[1]), ARGV[2]
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
  local tokens = tonumber(bucket[1]) or per_minute
  local at = tonumber(bucket[2]) or now
  tokens = math.min(per_minute, tokens + math.max(0, now - at) * per_minute / 60000)
  local wait = 0
  if answered ~= '' then
    redis.call('ZREM', KEYS[2], answered)
    tokens = math.max(tokens - 1, -per_minute)
  else
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - tonumber(ARGV[3]))
    local wanted = 1 + redis.call('ZCARD', KEYS[2]) + tonumber(ARGV[5])
    if tokens >= wanted then tokens = tokens - 1
    else wait = math.ceil(math.min((wanted - tokens) * 60000 / per_minute, tonumber(ARGV[4]))) end
  end
  redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', now)
  redis.call('PEXPIRE', KEYS[1], 300000)
  return wait
`)

export function createEditBudget(redis: RedisClient): EditBudget {
  const keysOf = (workspace: string) => {
    const bucket = `clew:budget:{${encodeURIComponent(workspace)}}`
    return { bucket, expected: `${bucket}:expected` }
  }
  async function run(
    workspace: string,
    perMinute: number,
    { answered = '', spared = 0 }: { readonly answered?: string; readonly spared?: number },
    signal: AbortSignal,
  ): Promise<number> {
    const { bucket, expected } = keysOf(workspace)
    const values = [perMinute, answered, DELIVERY_LIMITS.expectedMs, DELIVERY_LIMITS.editWaitMs, spared]
    return Number(await abortable(runScript(redis, TAKE, [bucket, expected], values), signal))
  }
  return {
    async expect(workspace, runId, signal) {
      await abortable(runScript(redis, EXPECT, [keysOf(workspace).expected], [runId, DELIVERY_LIMITS.expectedMs]), signal)
    },
    tryTake: (workspace, perMinute, isAwaited, signal) =>
      run(workspace, perMinute, { spared: isAwaited ? 0 : perMinute / 2 }, signal),
    async take(workspace, runId, perMinute, signal) {
      await run(workspace, perMinute, { answered: runId }, signal)
    },
  }
}
