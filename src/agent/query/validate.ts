import { overBudget } from '../../warehouse/cost/budget.ts'
import type { CostEstimate } from '../../warehouse/cost/estimate.ts'
import type { AllowedQuery, ValidationVerdict } from '../../warehouse/query-validator.ts'
import type { Schema } from '../../warehouse/schema.ts'
import type { CheckContext } from '../run/context.ts'

/**
 * Checks the names, types and cost of a query that the guard allows, as a traced step. The check takes milliseconds.
 * It is not checkpointed, so that a resumed run checks against the present schema.
 * @throws WarehouseError of kind `cancelled` only
 */
export async function validate(
  { log, validator, budget }: CheckContext,
  {
    schema,
    id,
    attempt,
    query,
    isConfirmed,
  }: {
    readonly schema: Schema
    readonly id: string
    readonly attempt: number
    readonly query: AllowedQuery
    readonly isConfirmed: boolean
  },
  signal: AbortSignal,
): Promise<ValidationVerdict> {
  const isAffordable = (cost: CostEstimate) => isConfirmed || overBudget(cost, budget) === null
  return log.trace({ step: 'validate', query: id, attempt }, { sql: query.canonical }, signal, async trace => {
    const checked = await validator.check(query, { schema, isAffordable }, signal)
    if (checked.verdict !== 'invalid' && checked.cost.verdict === 'unestimated')
      trace.failure(`Without an estimate of its cost: ${checked.cost.reason}`)
    return checked
  })
}
