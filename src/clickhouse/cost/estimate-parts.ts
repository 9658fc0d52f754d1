import type { CostEstimate } from '../../warehouse/cost/estimate.ts'
import type { AllowedQuery } from '../../warehouse/query-validator.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { limitedToRows } from '../../warehouse/warehouse.ts'
import { estimatePlan } from './estimate-plan.ts'
import type { Planned } from './plan-query.ts'
import { namesSet } from './runs-while-planned.ts'
import { type ValueSubquery, valueSubqueries } from './value-subqueries.ts'

/**
 * Estimates a query whose subqueries are too slow to run during planning. A single plan covers the query, with placeholders in place of the
 * subqueries, and each subquery as a query of its own. Returns undefined if this is not possible.
 * @param plan plans SQL without running any part of it
 * @throws the errors of `plan`
 */
export async function estimateParts(
  { canonical, tables, tree }: AllowedQuery,
  { schema, maxRows }: { readonly schema: Schema; readonly maxRows: number },
  plan: (sql: string) => Promise<Planned>,
): Promise<CostEstimate | undefined> {
  const subqueries = valueSubqueries(canonical) ?? []
  if (subqueries.length === 0) return undefined
  // A name to the right of IN may be a table, which planning would read. It may also be an alias of the outer query, which would look like a table in
  // a separately planned subquery.
  if (namesSet(tree)) return undefined
  // LIMIT 0 does not prevent the read of a subquery WITH TOTALS.
  if (subqueries.some(({ start, end }) => /\bWITH TOTALS\b/i.test(canonical.slice(start, end)))) return undefined
  const standIns: SubqueryReplacement[] = []
  const parts: string[] = []
  for (const subquery of subqueries) {
    const part = replaceSubqueries(canonical, standIns, subquery.start, subquery.end)
    parts.push(part)
    standIns.push({ subquery, text: subqueryReplacement(subquery, part) })
  }
  parts.push(limitedToRows(replaceSubqueries(canonical, standIns), maxRows))
  // `ignore` reads every column, and its result has the same type for subqueries with different columns.
  const planned = await plan(parts.map(part => `SELECT ignore(*) FROM (${part})`).join(' UNION ALL '))
  return typeof planned === 'string' ? undefined : estimatePlan(planned, tables, schema)
}

/** A subquery and the text that replaces it. */
interface SubqueryReplacement {
  readonly subquery: ValueSubquery
  readonly text: string
}

/**
 * Returns an expression that replaces a subquery, so that planning need not run the subquery. The engine derives the type of the expression from the
 * subquery, so both have the same type. The engine can neither fold a condition on the expression nor select marks by it. So the plan of the outer
 * query reads at least as much as with the subquery. LIMIT 0 prevents any read.
 * @param text the subquery, with its own subqueries already replaced
 */
function subqueryReplacement({ kind }: ValueSubquery, text: string): string {
  if (kind === 'exists') return '(rand() > 0)'
  const none = `SELECT * FROM (${text}) LIMIT 0`
  // `NOT IN` an empty set excludes no row, so the plan reads at least as much as with the subquery.
  if (kind === 'set') return `NOT IN (${none})`
  // Over no rows, `any` returns the default value of the type. A random index hides the value from index analysis, which would see through
  // `materialize`.
  return `[(SELECT * APPLY(any) FROM (${none}))][1 + (rand() % 1)]`
}

/** Returns the part of a text from `start` to `end`, with the subqueries in it replaced. */
function replaceSubqueries(text: string, standIns: readonly SubqueryReplacement[], start = 0, end = text.length): string {
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
