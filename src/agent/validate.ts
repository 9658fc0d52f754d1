import type { Schema } from '../clickhouse/schema.ts'
import type { AllowedQuery, ValidationVerdict } from '../clickhouse/validation/query-validator.ts'
import type { RunContext } from './run-context.ts'

/**
 * Checks a query that the guard allowed before it runs, as a traced step. Not checkpointed: it takes milliseconds, and a
 * resumed run should be judged by the current schema.
 * @throws WarehouseError of kind `cancelled` only
 */
export async function validate(
  context: RunContext,
  options: { readonly schema: Schema; readonly id: string; readonly attempt: number; readonly query: AllowedQuery },
  signal: AbortSignal,
): Promise<ValidationVerdict> {
  const { deps, log } = context
  const key = { step: 'validate', query: options.id, attempt: options.attempt }
  return log.trace(key, { sql: options.query.canonical }, signal, () =>
    deps.validator.check(options.query, options.schema, signal),
  )
}
