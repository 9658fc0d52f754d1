import type { PlanColumn } from './query-plan.ts'
import type { ValueSubquery } from './value-subqueries.ts'

/** A subquery with the text that stands in for it. */
export interface StandIn {
  readonly subquery: ValueSubquery
  readonly text: string
}

/**
 * What may stand in for a subquery without being run: of its type, and such that no condition on it can be folded or choose among marks, so that what is
 * around it is planned to read at least as much as with the real one. Null where it has no column.
 * @param columns what the subquery returns
 */
export function standIn({ kind }: ValueSubquery, columns: readonly PlanColumn[]): string | null {
  if (kind === 'exists') return '(rand() > 0)'
  const values = columns.map(({ type }) => `defaultValueOfTypeName('${type.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}')`)
  if (values.length === 0) return null
  // Nothing is outside of an empty set.
  if (kind === 'set') return `NOT IN (SELECT ${values.join(', ')} WHERE 0)`
  const value = values.length === 1 ? values[0] : `tuple(${values.join(', ')})`
  // Index analysis looks through `materialize`.
  return `if(rand() > 0, ${value}, ${value})`
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
