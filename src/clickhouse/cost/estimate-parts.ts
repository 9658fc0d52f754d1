import type { CostEstimate } from '../../warehouse/cost/estimate.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { limitedToRows } from '../../warehouse/warehouse.ts'
import type { ParsedQuery } from '../parsed-query.ts'
import { estimatePlan } from './estimate-plan.ts'
import type { Planned } from './plan-query.ts'
import { namesSet } from './runs-while-planned.ts'
import { type ValueSubquery, valueSubqueries } from './value-subqueries.ts'

/**
 * Estimates a query whose subqueries are too slow to run during planning. Plans each subquery as a query of its own, and the
 * query itself with placeholders for them, all in one request. Returns undefined if this is not possible.
 * @param plan plans SQL without running any part of it
 * @throws the errors of `plan`
 */
export async function estimateParts(
  { canonical, tables, tree }: ParsedQuery,
  { schema, maxRows }: { readonly schema: Schema; readonly maxRows: number },
  plan: (sql: string) => Promise<Planned>,
): Promise<CostEstimate | undefined> {
  const subqueries = valueSubqueries(canonical) ?? []
  if (subqueries.length === 0) return undefined
  // A bare name after IN, as in `id IN paid`, may be a table, which planning would read. It may also be an alias of the outer
  // query, which would look like a table in a subquery that is planned on its own.
  if (namesSet(tree)) return undefined
  // Even with LIMIT 0, the engine reads a subquery WITH TOTALS completely.
  if (subqueries.some(({ start, end }) => /\bWITH TOTALS\b/i.test(canonical.slice(start, end)))) return undefined
  const standIns: SubqueryReplacement[] = []
  const parts: string[] = []
  for (const subquery of subqueries) {
    const part = replaceSubqueries(canonical, standIns, subquery.start, subquery.end)
    parts.push(part)
    standIns.push({ subquery, text: subqueryReplacement(subquery, part) })
  }
  parts.push(limitedToRows(replaceSubqueries(canonical, standIns), maxRows))
  // A UNION needs equal columns. `ignore` reads every column of a part and returns one number, so parts with different columns
  // fit.
  const planned = await plan(parts.map(part => `SELECT ignore(*) FROM (${part})`).join(' UNION ALL '))
  return typeof planned === 'string' ? undefined : estimatePlan(planned, tables, schema)
}

interface SubqueryReplacement {
  readonly subquery: ValueSubquery
  readonly text: string
}

/**
 * Returns a placeholder for a subquery, so that planning does not run the subquery. The placeholder has the same type, which the
 * engine derives from it with LIMIT 0, without reading. The engine can neither precompute a condition on it nor select marks by
 * it. So the plan reads at least as much as with the real subquery.
 * @param text the subquery, with placeholders for its own subqueries
 */
function subqueryReplacement({ kind }: ValueSubquery, text: string): string {
  if (kind === 'exists') return '(rand() > 0)'
  const none = `SELECT * FROM (${text}) LIMIT 0`
  // `NOT IN` with an empty set keeps every row. So this plan reads at least as many rows as with the real subquery.
  if (kind === 'set') return `NOT IN (${none})`
  // Without rows, `any` returns the type's default value, such as 0. The random index keeps the engine from selecting marks by
  // this value; `materialize` would not.
  return `[(SELECT * APPLY(any) FROM (${none}))][1 + (rand() % 1)]`
}

/** Returns the part of a text between `start` and `end`, with all subqueries in it replaced. */
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
