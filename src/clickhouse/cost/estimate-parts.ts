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
 * Estimates a query whose subqueries are too slow to run during planning. One plan covers the query with stand-ins for its subqueries, and each
 * subquery beside it. Undefined if this is not possible.
 * @param plan plans a text without running any part of it
 * @throws whatever `plan` throws
 */
export async function estimateParts(
  { canonical, tables, tree }: AllowedQuery,
  { schema, maxRows }: { readonly schema: Schema; readonly maxRows: number },
  plan: (sql: string) => Promise<Planned>,
): Promise<CostEstimate | undefined> {
  const subqueries = valueSubqueries(canonical) ?? []
  if (subqueries.length === 0) return undefined
  // Planning would read a table to the right of IN. Also, an outer alias would look like a table in a separate part.
  if (namesSet(tree)) return undefined
  // LIMIT does not stop a query WITH TOTALS from reading.
  if (subqueries.some(({ start, end }) => /\bWITH TOTALS\b/i.test(canonical.slice(start, end)))) return undefined
  const standIns: SubqueryReplacement[] = []
  const parts: string[] = []
  for (const subquery of subqueries) {
    const part = replaceSubqueries(canonical, standIns, subquery.start, subquery.end)
    parts.push(part)
    standIns.push({ subquery, text: subqueryReplacement(subquery, part) })
  }
  parts.push(limitedToRows(replaceSubqueries(canonical, standIns), maxRows))
  // `ignore` reads every column, and gives parts with different columns the same type.
  const planned = await plan(parts.map(part => `SELECT ignore(*) FROM (${part})`).join(' UNION ALL '))
  return typeof planned === 'string' ? undefined : estimatePlan(planned, tables, schema)
}
