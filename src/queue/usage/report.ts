import { z } from 'zod'
import { abortable } from '../../store/abortable.ts'
import { callRedis } from '../../store/redis/call-redis.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { redisScript, runScript } from '../../store/redis/script.ts'
import type { CAPPED_MEASURES } from './cap.ts'
import { counterKey } from './counters.ts'

/** By what a report lists what was used. `all` has a single row. */
export const REPORTED = ['person', 'channel', 'role', 'source', 'model', 'all'] as const
export type Reported = (typeof REPORTED)[number]

const NOTHING = { questions: 0, calls: 0, queries: 0, tokens: 0, cost: 0, bytes: 0, helpful: 0, unhelpful: 0 }

/** The use under a name, and how many people found its answers helpful or not. */
export type UsageRow = Readonly<typeof NOTHING> & { readonly name: string }

/** Adds to what was used under a name. */
export function addUsed(rows: Map<string, UsageRow>, name: string, amounts: Readonly<Record<string, string | number>>): void {
  const before = rows.get(name) ?? { name, ...NOTHING }
  const measures = Object.keys(NOTHING) as (keyof typeof NOTHING)[]
  const sums = measures.map(measure => [measure, before[measure] + Number(amounts[measure] ?? 0)])
  rows.set(name, { ...before, ...Object.fromEntries(sums) })
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
): Promise<Map<string, UsageRow>> {
  const rows = new Map<string, UsageRow>()
  for (const day of days) {
    const names = await callRedis(redis.smembers(counterKey(day, kind)), signal)
    const read = await Promise.all(names.map(name => callRedis(redis.hgetall(counterKey(day, kind, name)), signal)))
    names.forEach((name, index) => {
      addUsed(rows, name, read[index] ?? {})
    })
  }
  return rows
}

// Returns the names of a day and what each has used. All keys lie in one slot.
const USED = redisScript(`
  local read = {}
  for _, name in ipairs(redis.call('SMEMBERS', KEYS[1])) do
    read[#read + 1] = name
    read[#read + 1] = redis.call('HGET', KEYS[1] .. ':' .. name, ARGV[1]) or '0'
  end
  return read
`)

/**
 * Adds up one measure on some days, by name. Redis reads a day at a time, so that it serves others between two days.
 * @throws StoreError
 */
export async function readUsed(
  redis: RedisClient,
  kind: Reported,
  days: readonly string[],
  measure: (typeof CAPPED_MEASURES)[number],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const reading = Promise.all(days.map(day => runScript(redis, USED, [counterKey(day, kind)], [measure])))
  const used = new Map<string, number>()
  for (const read of z.array(z.array(z.string())).parse(await abortable(reading, signal)))
    for (const [index, name] of read.entries())
      if (index % 2 === 0) used.set(name, (used.get(name) ?? 0) + Number(read[index + 1]))
  return used
}
