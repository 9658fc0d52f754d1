import type { CostVerdict } from '../clickhouse/cost/cost-estimator.ts'
import type { Schema } from '../clickhouse/schema.ts'
import type { AllowedQuery, ValidationVerdict } from '../clickhouse/validation/query-validator.ts'
import type { RunContext } from './run-context.ts'

/** What is known of a query before it runs. */
export interface Checked {
  readonly validation: ValidationVerdict
  readonly cost: CostVerdict
}

/**
 * Checks a query that the guard allowed before it runs, its names and types and its cost at the same time, as a traced step. Not checkpointed: it takes
 * milliseconds, and a resumed run should be judged by the current schema.
 * @throws WarehouseError of kind `cancelled` only
 */
export async function validate(
  context: RunContext,
  options: { readonly schema: Schema; readonly id: string; readonly attempt: number; readonly query: AllowedQuery },
  signal: AbortSignal,
): Promise<Checked> {
  const { deps, log } = context
  const key = { step: 'validate', query: options.id, attempt: options.attempt }
  return log.trace(key, { sql: options.query.canonical }, signal, async trace => {
    const [validation, cost] = await Promise.all([
      deps.validator.check(options.query, options.schema, signal),
      deps.cost.estimate(options.query, options.schema, deps.settings.maxRows, signal),
    ])
    if (cost.verdict === 'unestimated') trace.failure(`Without an estimate of its cost: ${cost.reason}`)
    return { validation, cost }
  })
}
