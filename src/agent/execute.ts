import { z } from 'zod'
import { ERROR_ROUTES, WAREHOUSE_ERROR_KINDS } from '../clickhouse/error-routes.ts'
import { scopeOfSchema } from '../clickhouse/guard/scope-of-schema.ts'
import type { Schema } from '../clickhouse/schema.ts'
import { plainSentence } from '../clickhouse/server-failure.ts'
import { explainFailure } from '../clickhouse/validation/explain-failure.ts'
import type { AllowedQuery } from '../clickhouse/validation/query-validator.ts'
import type { QueryResult } from '../clickhouse/warehouse.ts'
import { WarehouseError, type WarehouseErrorKind } from '../clickhouse/warehouse-error.ts'
import type { RunContext } from './run-context.ts'
import { columnsSchema, rowsSchema } from './run-result.ts'
import { validate } from './validate.ts'

const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rejected'), code: z.string(), message: z.string() }),
  z.object({ kind: z.literal('failed'), error: z.enum(WAREHOUSE_ERROR_KINDS), message: z.string(), sql: z.string() }),
  z.object({
    kind: z.literal('succeeded'),
    sql: z.string(),
    columns: columnsSchema,
    rows: rowsSchema,
    truncated: z.boolean(),
    elapsed_ms: z.number(),
    /** Why it ran without having been checked before; null when it was. */
    unchecked: z.string().nullable(),
  }),
])

/** What became of a piece of SQL: refused by the guard, found wrong by the engine before it ran or then, or its rows. Failures are values: most go back to the model. */
export type ExecutionOutcome = z.infer<typeof outcomeSchema>

interface ExecutionOptions {
  readonly schema: Schema
  readonly id: string
  readonly attempt: number
  readonly sql: string
}

/** What somebody must look at, for the log. */
const ALARMS: Readonly<Partial<Record<WarehouseErrorKind, string>>> = {
  denied: 'the server denied what the guard allowed',
  broken: 'the server cannot read its own data',
}

/**
 * Runs SQL that a model wrote: through the guard, then its canonical text and nothing else, unless the check finds it wrong. This is the only way
 * from a model to the warehouse.
 * @throws WarehouseError of kind `cancelled` only
 */
export async function execute(context: RunContext, options: ExecutionOptions, signal: AbortSignal): Promise<ExecutionOutcome> {
  const { log, observe } = context
  const key = { step: 'execute', query: options.id, attempt: options.attempt }
  return log.step(key, { sql: options.sql }, outcomeSchema, signal, async trace => {
    observe({ kind: 'step_started', ...key })
    const outcome = await checkAndRun(context, options, signal)
    if (outcome.kind !== 'succeeded') trace.failure(outcome.message)
    return outcome
  })
}

async function checkAndRun(context: RunContext, options: ExecutionOptions, signal: AbortSignal): Promise<ExecutionOutcome> {
  const { deps, log } = context
  let allowed: AllowedQuery | undefined
  try {
    const verdict = await deps.guard.check(options.sql, scopeOfSchema(options.schema, deps.settings.databases), signal)
    if (verdict.verdict === 'reject') return { kind: 'rejected', code: verdict.code, message: verdict.message }
    allowed = verdict
    const checked = await validate(context, { ...options, query: allowed }, signal)
    if (checked.verdict === 'invalid') {
      return { kind: 'failed', error: checked.kind, message: checked.message, sql: options.sql }
    }
    const result = await deps.warehouse.read({ sql: verdict.canonical, maxRows: deps.settings.maxRows }, signal)
    return succeeded(verdict.canonical, result, checked.verdict === 'unchecked' ? checked.reason : null)
  } catch (error) {
    if (!(error instanceof WarehouseError) || error.kind === 'cancelled') throw error
    const { route } = ERROR_ROUTES[error.kind]
    if (route === 'alarm') deps.logger.error({ err: error, sql: options.sql, run: log.runId }, ALARMS[error.kind])
    const message =
      route === 'regenerate' && allowed ? explainFailure(error, allowed, options.schema).message : plainSentence(error)
    return { kind: 'failed', error: error.kind, message, sql: options.sql }
  }
}

function succeeded(sql: string, result: QueryResult, unchecked: string | null): ExecutionOutcome {
  return {
    kind: 'succeeded',
    sql,
    columns: result.columns,
    rows: result.rows,
    truncated: result.truncated,
    elapsed_ms: result.elapsedMs,
    unchecked,
  }
}
