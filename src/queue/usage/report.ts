import { callRedis } from '../../store/redis/call-redis.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { counterKey } from './counters.ts'

/** By what a report lists what was used. `all` has a single row. */
export const REPORTED = ['person', 'channel', 'source', 'model', 'all'] as const
export type Reported = (typeof REPORTED)[number]

const NOTHING = { questions: 0, calls: 0, queries: 0, tokens: 0, cost: 0, bytes: 0, helpful: 0, unhelpful: 0 }

/** What was used under a name, and how many people found its answers helpful or not. */
export type UsageRow = Readonly<typeof NOTHING> & { readonly name: string }

/** What was used, by the names of one kind. */
class UsageTable {
  readonly #rows = new Map<string, UsageRow>()

  add(name: string, amounts: Readonly<Record<string, string | number>>): void {
    const before = this.#rows.get(name) ?? NOTHING
    const sums = Object.entries(NOTHING).map(([measure]) => {
      const own = measure as keyof typeof NOTHING
      return [own, before[own] + Number(amounts[own] ?? 0)]
    })
    this.#rows.set(name, { name, ...(Object.fromEntries(sums) as typeof NOTHING) })
  }

  /** Returns the rows, the most used first. */
  rows(): readonly UsageRow[] {
    return [...this.#rows.values()].sort((a, b) => b.questions - a.questions || b.calls + b.queries - a.calls - a.queries)
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
