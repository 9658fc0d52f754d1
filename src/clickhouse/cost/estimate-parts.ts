import type { Schema } from '../schema.ts'
import type { AllowedQuery } from '../validation/query-validator.ts'
import { limitedToRows } from '../warehouse.ts'
import type { CostEstimate } from './cost-estimate.ts'
import { addedUp, estimatePlan } from './estimate-plan.ts'
import type { Planned } from './plan-query.ts'
import type { PlanNode } from './query-plan.ts'
import { type StandIn, standIn, withStandIns } from './stand-ins.ts'
import { valueSubqueries } from './value-subqueries.ts'

/**
 * The cost of a query whose subqueries take too long to be run while it is planned: each is planned by itself, inner ones first, and what is around it
 * with a value in its place. Undefined where that cannot be told.
 * @param plan of a text, without running any of it
 * @throws whatever `plan` throws
 */
export async function estimateParts(
  { canonical, tables }: AllowedQuery,
  { schema, maxRows }: { readonly schema: Schema; readonly maxRows: number },
  plan: (sql: string) => Promise<Planned>,
): Promise<CostEstimate | undefined> {
  const subqueries = valueSubqueries(canonical) ?? []
  if (subqueries.length === 0) return undefined
  const standIns: StandIn[] = []
  const plans: PlanNode[] = []
  for (const subquery of subqueries) {
    const part = withStandIns(canonical, standIns, subquery.start, subquery.end)
    const planned = await plan(`SELECT * FROM (${part})`)
    if (typeof planned === 'string') return undefined
    const text = standIn(subquery, planned.columns)
    if (text === null) return undefined
    plans.push(planned)
    standIns.push({ subquery, text })
  }
  const whole = await plan(limitedToRows(withStandIns(canonical, standIns), maxRows))
  if (typeof whole === 'string') return undefined
  return addedUp([...plans, whole].map(one => estimatePlan(one, tables, schema)))
}
