import type { Schema } from '../schema.ts'
import type { AllowedQuery } from '../validation/query-validator.ts'
import { limitedToRows } from '../warehouse.ts'
import type { CostEstimate } from './cost-estimate.ts'
import { estimatePlan } from './estimate-plan.ts'
import type { Planned } from './plan-query.ts'
import { namesSet } from './runs-while-planned.ts'
import { type StandIn, standIn, withStandIns } from './stand-ins.ts'
import { valueSubqueries } from './value-subqueries.ts'

/**
 * The cost of a query whose subqueries take too long to be run while it is planned: all in one plan, side by side, the query with something in their place, and each
 * of them. Undefined where that cannot be told.
 * @param plan of a text, without running any of it
 * @throws whatever `plan` throws
 */
export async function estimateParts(
  { canonical, tables, tree }: AllowedQuery,
  { schema, maxRows }: { readonly schema: Schema; readonly maxRows: number },
  plan: (sql: string) => Promise<Planned>,
): Promise<CostEstimate | undefined> {
  const subqueries = valueSubqueries(canonical) ?? []
  if (subqueries.length === 0) return undefined
  // Planning reads a table to the right of IN; and what is an alias of the query around it would be a table in a part, any table.
  if (namesSet(tree)) return undefined
  // LIMIT does not end the reading of what is totalled.
  if (subqueries.some(({ start, end }) => /\bWITH TOTALS\b/i.test(canonical.slice(start, end)))) return undefined
  const standIns: StandIn[] = []
  const parts: string[] = []
  for (const subquery of subqueries) {
    const part = withStandIns(canonical, standIns, subquery.start, subquery.end)
    parts.push(part)
    standIns.push({ subquery, text: standIn(subquery, part) })
  }
  parts.push(limitedToRows(withStandIns(canonical, standIns), maxRows))
  // `ignore` reads every column, and makes parts of different columns alike.
  const planned = await plan(parts.map(part => `SELECT ignore(*) FROM (${part})`).join(' UNION ALL '))
  return typeof planned === 'string' ? undefined : estimatePlan(planned, tables, schema)
}
