import { z } from 'zod'
import { overBudget } from '../clickhouse/cost/cost-budget.ts'
import { type CostEstimate, costEstimateSchema } from '../clickhouse/cost/cost-estimator.ts'
import { estimateByCatalog } from '../clickhouse/cost/estimate-by-catalog.ts'
import { ERROR_ROUTES, WAREHOUSE_ERROR_KINDS } from '../clickhouse/error-routes.ts'
import { scopeOfSchema } from '../clickhouse/guard/scope-of-schema.ts'
import type { Schema } from '../clickhouse/schema.ts'
import { plainSentence } from '../clickhouse/server-failure.ts'
import { explainFailure } from '../clickhouse/validation/explain-failure.ts'
import type { AllowedQuery, Explanation } from '../clickhouse/validation/query-validator.ts'
import type { QueryResult } from '../clickhouse/warehouse.ts'
import { WarehouseError, type WarehouseErrorKind } from '../clickhouse/warehouse-error.ts'
import type { RunContext } from './run-context.ts'
import { columnsSchema, rowsSchema } from './run-result.ts'
import { validate } from './validate.ts'

/** Names that exist and may have been meant. */
const namesSchema = z.array(z.string()).readonly()

/** What the query reads, as `database.table`; null where the guard could not be asked. */
const tablesSchema = z.array(z.string()).readonly().nullable()

const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rejected'), code: z.string(), message: z.string(), near: namesSchema }),
  z.object({
    kind: z.literal('failed'),
    error: z.enum(WAREHOUSE_ERROR_KINDS),
    message: z.string(),
    /** As the guard printed it; empty where the guard could not be asked. */
    canonical: z.string(),
    tables: tablesSchema,
    estimate: costEstimateSchema.nullable(),
    near: namesSchema,
    unknownColumn: z.string().optional(),
  }),
  /** Over the budget: nothing was run. `excess` is the end of "it …". */
  z.object({
    kind: z.literal('costly'),
    excess: z.string(),
    canonical: z.string(),
    tables: tablesSchema,
    estimate: costEstimateSchema,
  }),
  z.object({
    kind: z.literal('succeeded'),
    sql: z.string(),
    tables: tablesSchema,
    columns: columnsSchema,
    rows: rowsSchema,
    truncated: z.boolean(),
    elapsed_ms: z.number(),
    /** Why it ran without having been checked before; null when it was. */
    unchecked: z.string().nullable(),
  }),
])

/** What became of a piece of SQL: refused by the guard, found wrong by the engine before it ran or then, too expensive, or its rows. Failures are values: most go back to the model. */
export type ExecutionOutcome = z.infer<typeof outcomeSchema>

interface ExecutionOptions {
  readonly schema: Schema
  readonly id: string
  readonly attempt: number
  readonly sql: string
  /** The person said that it may cost more than the budget. */
  readonly isConfirmed: boolean
  /** A query that cost too much: it is not run again, and its successor reads no other tables. */
  readonly tooExpensive: { readonly canonical: string; readonly tables: readonly string[] | null } | null
}

/** Never run blindly again, however it is spelt. */
const SAME_QUERY = 'This is the query that was too expensive, unchanged: return one that reads less.'

/** What somebody must look at, for the log: the person is not told the server's words. */
const ALARMS: Readonly<Partial<Record<WarehouseErrorKind, string>>> = {
  authentication: 'the server does not accept the credentials',
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
  const { sql, isConfirmed, tooExpensive } = options
  return log.step(key, { sql, isConfirmed, tooExpensive }, outcomeSchema, signal, async trace => {
    observe({ kind: 'step_started', ...key })
    const outcome = await checkAndRun(context, options, signal)
    if (outcome.kind === 'costly') trace.failure(outcome.excess)
    else if (outcome.kind !== 'succeeded') trace.failure(outcome.message)
    return outcome
  })
}

async function checkAndRun(context: RunContext, options: ExecutionOptions, signal: AbortSignal): Promise<ExecutionOutcome> {
  const { deps, log } = context
  let allowed: AllowedQuery | undefined
  let estimate: CostEstimate | null = null
  try {
    const verdict = await deps.guard.check(options.sql, scopeOfSchema(options.schema, deps.settings.databases), signal)
    if (verdict.verdict === 'reject') {
      const { code, message, near = [] } = verdict
      return { kind: 'rejected', code, message, near }
    }
    allowed = verdict
    const { canonical } = verdict
    if (canonical === options.tooExpensive?.canonical)
      return { kind: 'rejected', code: 'same_query', message: SAME_QUERY, near: [] }
    const other = otherTable(allowed, options.tooExpensive)
    if (other !== undefined) return { kind: 'rejected', code: 'other_tables', message: otherTables(other), near: [] }
    const { validation, cost } = await validate(context, { ...options, query: allowed }, signal)
    estimate = cost.verdict === 'estimated' ? cost.estimate : null
    if (validation.verdict === 'invalid') {
      const { kind, message, suggestions: near, unknownColumn } = validation
      return { kind: 'failed', error: kind, message, canonical, tables: allowed.tables, estimate, near, unknownColumn }
    }
    const known = estimate ?? estimateByCatalog(allowed.tables, options.schema)
    const excess = options.isConfirmed ? null : overBudget(known, deps.settings.budget)
    if (excess !== null) return { kind: 'costly', excess, canonical, tables: allowed.tables, estimate: known }
    const result = await deps.warehouse.read({ sql: canonical, maxRows: deps.settings.maxRows }, signal)
    return succeeded(allowed, result, validation.verdict === 'unchecked' ? validation.reason : null)
  } catch (error) {
    if (!(error instanceof WarehouseError) || error.kind === 'cancelled') throw error
    const { route } = ERROR_ROUTES[error.kind]
    const alarm = ALARMS[error.kind]
    if (alarm !== undefined) deps.logger.error({ err: error, sql: options.sql, run: log.runId }, alarm)
    if (route === 'wait') deps.logger.warn({ err: error, run: log.runId }, 'the server could not serve a query')
    const {
      message,
      suggestions: near,
      unknownColumn,
    }: Explanation = route === 'regenerate' && allowed
      ? explainFailure(error, allowed, options.schema)
      : { message: plainSentence(error), suggestions: [] }
    const { canonical, tables } = allowed ?? { canonical: '', tables: null }
    return { kind: 'failed', error: error.kind, message, canonical, tables, estimate, near, unknownColumn }
  }
}

/** A table that a narrowed query reads and the wider one did not: it would answer something else. */
function otherTable({ tables }: AllowedQuery, wider: ExecutionOptions['tooExpensive']): string | undefined {
  const allowed = wider?.tables
  return allowed == null ? undefined : tables.find(table => !allowed.includes(table))
}

function otherTables(table: string): string {
  return `The query that was too expensive does not read ${table}: return one that reads less of the same tables.`
}

function succeeded({ canonical, tables }: AllowedQuery, result: QueryResult, unchecked: string | null): ExecutionOutcome {
  return {
    kind: 'succeeded',
    sql: canonical,
    tables,
    columns: result.columns,
    rows: result.rows,
    truncated: result.truncated,
    elapsed_ms: result.elapsedMs,
    unchecked,
  }
}
