import { z } from 'zod'
import { parseJson } from '../base/text/parse-json.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { redisScript, runScript } from '../store/redis/script.ts'
import { openSigned, signText } from '../store/signed-text.ts'
import { REPORT_LIMITS } from './limits.ts'

const reportSchema = z.object({
  /** The host and the process id, such as `clew-worker-1:17`. */
  id: z.string(),
  kind: z.enum(['bots', 'worker', 'serve']),
  version: z.string(),
  /** The start of the process. Unix time in milliseconds. */
  since: z.number(),
  /** The readiness checks and the breakers by name, as `/ready` shows them. */
  checks: z.record(z.string(), z.union([z.boolean(), z.string()])),
  /** The errors of the last `REPORT_LIMITS.errorsMs` by what failed and how, such as `query timeout`. */
  errors: z.record(z.string(), z.number()),
})
export type ProcessReport = z.infer<typeof reportSchema>

/** Sorted set: signed reports by the time at which Redis got them. */
const REPORTS = 'clew:processes'

const REPLACE = redisScript(`
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
  if ARGV[2] ~= '' then redis.call('ZADD', KEYS[1], now, ARGV[2]) end
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
`)

/**
 * Writes the report of a process in place of its last one. Without a report, only removes the last one.
 * @param last what the last call returned; empty at first
 * @throws StoreError
 */
export async function writeReport(redis: RedisClient, last: string, report?: ProcessReport): Promise<string> {
  const text = report === undefined ? '' : signText(redis.stateKey, REPORTS, JSON.stringify(report))
  const writing = runScript(redis, REPLACE, [REPORTS], [last, text, REPORT_LIMITS.keptMs])
  await callRedis(writing, AbortSignal.timeout(REPORT_LIMITS.writeMs))
  return text
}

/**
 * Returns the reports of all processes, also of those that died a short while ago. `at` is when Redis got the report.
 * @throws StoreError
 */
export async function readReports(
  redis: RedisClient,
  signal: AbortSignal,
): Promise<readonly (ProcessReport & { readonly at: number })[]> {
  const stored = await callRedis(redis.zrange(REPORTS, '0', '-1', 'WITHSCORES'), signal)
  const byId = new Map<string, ProcessReport & { readonly at: number }>()
  for (const [index, text] of stored.entries()) {
    const { data } = reportSchema.safeParse(parseJson(openSigned(redis.stateKey, REPORTS, text) ?? ''))
    // After a lost reply of Redis, an older report of the process may still be there.
    if (data !== undefined) byId.set(data.id, { ...data, at: Number(stored[index + 1]) })
  }
  return [...byId.values()].sort((one, other) => (`${one.kind} ${one.id}` < `${other.kind} ${other.id}` ? -1 : 1))
}
