import type { ValueSubquery } from './value-subqueries.ts'

/** A subquery with the text that stands in for it. */
export interface StandIn {
  readonly subquery: ValueSubquery
  readonly text: string
}

/**
 * What may stand in for a subquery without its being run: of its type, which the engine finds out by itself, and such that no condition on it can be folded or choose
 * among marks, so that what is around it is planned to read at least as much as with the real one. LIMIT 0 ends before anything is read.
 * @param text of the subquery, with what stands in for those in it
 */
export function standIn({ kind }: ValueSubquery, text: string): string {
  if (kind === 'exists') return '(rand() > 0)'
  const none = `SELECT * FROM (${text}) LIMIT 0`
  // Nothing is outside of an empty set.
  if (kind === 'set') return `NOT IN (${none})`
  // Of no rows `any` is the type's default value. Index analysis would look through `materialize`.
  return `[(SELECT * APPLY(any) FROM (${none}))][1 + (rand() % 1)]`
}

/** The text from `start` to `end`, with what stands in for the subqueries in it. */
export function withStandIns(text: string, standIns: readonly StandIn[], start = 0, end = text.length): string {
  const inside = standIns
    .map(one => ({ ...one, ...one.subquery, text: one.text }))
    .filter(one => one.outerStart >= start && one.outerEnd <= end)
  const outermost = inside.filter(
    one => !inside.some(other => other.outerStart < one.outerStart && other.outerEnd > one.outerStart),
  )
  let written = ''
  let at = start
  for (const one of outermost.sort((a, b) => a.outerStart - b.outerStart)) {
    written += text.slice(at, one.outerStart) + one.text
    at = one.outerEnd
  }
  return written + text.slice(at, end)
}
