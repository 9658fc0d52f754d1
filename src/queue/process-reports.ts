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
  /** The readiness checks by name. A text is a state that does not keep the process from being ready. */
  checks: z.record(z.string(), z.union([z.boolean(), z.string()])),
  breakers: z.array(z.object({ name: z.string(), state: z.string() })),
  /** How the latest request to the model ended. Null if there was none. */
  model: z.object({ model: z.string(), outcome: z.string(), at: z.number() }).nullable(),
  /** The errors of the last `REPORT_LIMITS.errorsMs` by what failed and how, such as `query timeout`. */
  errors: z.array(z.object({ kind: z.string(), count: z.number(), latest_at: z.number() })),
})
export type ProcessReport = z.infer<typeof reportSchema>

/** Sorted set: signed reports by the time of Redis. A process replaces its report each time. */
const REPORTS = 'clew:processes'

// The script uses the clock of Redis, because all processes share that clock.
const WRITE = redisScript(`
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
  redis.call('ZADD', KEYS[1], now, ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
`)

/** Writes the report of a process, so that the console shows the process. Methods throw StoreError. */
export class OwnReport {
  readonly #redis: RedisClient
  #written = ''

  constructor(redis: RedisClient) {
    this.#redis = redis
  }

  async write(report: ProcessReport, signal: AbortSignal): Promise<void> {
    const before = this.#written
    this.#written = signText(this.#redis.stateKey, REPORTS, JSON.stringify(report))
    await callRedis(runScript(this.#redis, WRITE, [REPORTS], [before, this.#written, REPORT_LIMITS.keptMs]), signal)
  }

  /** Removes the report of a process that ends in order. The report of a process that died stays for a while. */
  async remove(signal: AbortSignal): Promise<void> {
    await callRedis(this.#redis.zrem(REPORTS, this.#written), signal)
  }
}

/**
 * Returns the reports of all processes with the times at which Redis got them, sorted by kind and name.
 * @throws StoreError
 */
export async function readReports(
  redis: RedisClient,
  signal: AbortSignal,
): Promise<readonly (ProcessReport & { readonly at: number })[]> {
  const stored = await callRedis(redis.zrange(REPORTS, '0', '-1', 'WITHSCORES'), signal)
  const byProcess = new Map<string, ProcessReport & { readonly at: number }>()
  for (let index = 0; index < stored.length; index += 2) {
    const { data } = reportSchema.safeParse(parseJson(openSigned(redis.stateKey, REPORTS, stored[index] ?? '') ?? ''))
    // After a lost reply of Redis, an older report of the process may still be there.
    if (data !== undefined) byProcess.set(data.id, { ...data, at: Number(stored[index + 1]) })
  }
  return [...byProcess.values()].sort((one, other) => `${one.kind} ${one.id}`.localeCompare(`${other.kind} ${other.id}`))
}
