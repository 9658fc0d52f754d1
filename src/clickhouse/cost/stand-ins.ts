import type { ValueSubquery } from './value-subqueries.ts'

/** A subquery and its replacement text. */
export interface SubqueryReplacement {
  readonly subquery: ValueSubquery
  readonly text: string
}

/**
 * Returns a text to replace a subquery, so that planning need not run it. It has the same type, which the engine works out itself. No condition on it
 * can be folded or select marks, so the outer query is planned to read at least as much. LIMIT 0 stops before any read.
 * @param text the subquery, with its own subqueries already replaced
 */
export function subqueryReplacement({ kind }: ValueSubquery, text: string): string {
  if (kind === 'exists') return '(rand() > 0)'
  const none = `SELECT * FROM (${text}) LIMIT 0`
  // An empty set excludes nothing.
  if (kind === 'set') return `NOT IN (${none})`
  // Over no rows, `any` gives the type's default value. Index analysis would see through `materialize`.
  return `[(SELECT * APPLY(any) FROM (${none}))][1 + (rand() % 1)]`
}

/** Returns the text from `start` to `end` with its subqueries replaced. */
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
