import type { ValueSubquery } from './value-subqueries.ts'

/** A subquery and the text that replaces it. */
export interface SubqueryReplacement {
  readonly subquery: ValueSubquery
  readonly text: string
}

/**
 * Returns an expression that replaces a subquery, so that planning need not run the subquery. The expression has the same type, which the engine
 * derives itself. The engine can neither fold a condition on the expression nor select marks by it. So the plan of the outer query reads at least as
 * much as with the subquery. LIMIT 0 prevents any read.
 * @param text the subquery, with its own subqueries already replaced
 */
export function subqueryReplacement({ kind }: ValueSubquery, text: string): string {
  if (kind === 'exists') return '(rand() > 0)'
  const none = `SELECT * FROM (${text}) LIMIT 0`
  // `NOT IN` an empty set excludes no row.
  if (kind === 'set') return `NOT IN (${none})`
  // Over no rows, `any` returns the default value of the type. A random index hides the value from index analysis, which would see through
  // `materialize`.
  return `[(SELECT * APPLY(any) FROM (${none}))][1 + (rand() % 1)]`
}

/** Returns the part of a text from `start` to `end`, with the subqueries in it replaced. */
export function replaceSubqueries(text: string, standIns: readonly SubqueryReplacement[], start = 0, end = text.length): string {
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
