import { callRedis } from '../../store/redis/call-redis.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { counterKey } from './counters.ts'

/** By what a report lists what was used. `all` has a single row. */
export const REPORTED = ['person', 'channel', 'source', 'model', 'all'] as const
export type Reported = (typeof REPORTED)[number]

export const REPORTED_MEASURES = ['questions', 'calls', 'queries', 'tokens', 'cost', 'bytes', 'helpful', 'unhelpful'] as const
/** How much was used of each measure. */
export type Amounts = Record<(typeof REPORTED_MEASURES)[number], number>

/** What was used, by the names of one kind. */
export class UsageTable {
  readonly #rows = new Map<string, Amounts>()

  add(name: string, amounts: Readonly<Record<string, string | number>>): void {
    const row = this.#rows.get(name)
    const sums = REPORTED_MEASURES.map(measure => [measure, (row?.[measure] ?? 0) + Number(amounts[measure] ?? 0)])
    this.#rows.set(name, Object.fromEntries(sums) as Amounts)
  }

  /** Returns the rows, the most used first. */
  rows(): readonly (Amounts & { readonly name: string })[] {
    const rows = [...this.#rows].map(([name, amounts]) => ({ name, ...amounts }))
    return rows.sort((a, b) => b.questions - a.questions || b.calls + b.queries - a.calls - a.queries)
  }
}

/**
 * Adds up what was used on some days.
 * @throws StoreError
 */
export async function readUsage(
  redis: RedisClient,
  kind: Reported,
  days: readonly string[],
  signal: AbortSignal,
): Promise<UsageTable> {
  const table = new UsageTable()
  for (const day of days) {
    const names = await callRedis(redis.smembers(counterKey(day, kind)), signal)
    const read = names.map(async name => table.add(name, await callRedis(redis.hgetall(counterKey(day, kind, name)), signal)))
    await Promise.all(read)
  }
  return table
}
