import type { CostEstimate } from '../../warehouse/cost/estimate.ts'
import type { AllowedQuery } from '../../warehouse/query-validator.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { limitedToRows } from '../../warehouse/warehouse.ts'
import { estimatePlan } from './estimate-plan.ts'
import type { Planned } from './plan-query.ts'
import { namesSet } from './runs-while-planned.ts'
import { replaceSubqueries, type SubqueryReplacement, subqueryReplacement } from './stand-ins.ts'
import { valueSubqueries } from './value-subqueries.ts'

/**
 * Estimates a query whose subqueries are too slow to run during planning. One plan covers the query, in which placeholders replace the subqueries,
 * and also covers each subquery separately. Returns undefined if this is not possible.
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
  // Planning would read a table to the right of IN. Also, in a separate part, an alias of the outer query would look like a table.
  if (namesSet(tree)) return undefined
  // A LIMIT does not end the read of a query WITH TOTALS.
  if (subqueries.some(({ start, end }) => /\bWITH TOTALS\b/i.test(canonical.slice(start, end)))) return undefined
  const standIns: SubqueryReplacement[] = []
  const parts: string[] = []
  for (const subquery of subqueries) {
    const part = replaceSubqueries(canonical, standIns, subquery.start, subquery.end)
    parts.push(part)
    standIns.push({ subquery, text: subqueryReplacement(subquery, part) })
  }
  parts.push(limitedToRows(replaceSubqueries(canonical, standIns), maxRows))
  // `ignore` reads every column, and its result has the same type for parts with different columns.
  const planned = await plan(parts.map(part => `SELECT ignore(*) FROM (${part})`).join(' UNION ALL '))
  return typeof planned === 'string' ? undefined : estimatePlan(planned, tables, schema)
}
