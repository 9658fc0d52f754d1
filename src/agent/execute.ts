import type { QueryResult } from '../clickhouse/warehouse.ts'
import { inSlices } from '../slices.ts'
import { boundedCells } from './bounded-cells.ts'
import { type ExecutionOutcome, executionOutcomeSchema } from './execution-outcome.ts'
import { failedQuery, type PreparedQuery, prepareQuery, type WrittenQuery } from './prepare-query.ts'
import type { RunContext } from './run-context.ts'

/**
 * Runs SQL from a model, and is the only way from a model to the warehouse. The guard reads the SQL, and only its canonical text
 * is checked and run.
 * @param prepared the earlier result of guard and check for this query, if any
 * @throws WarehouseError of kind `cancelled` only
 */
export async function execute(
  context: RunContext,
  query: WrittenQuery,
  signal: AbortSignal,
  prepared?: PreparedQuery,
): Promise<ExecutionOutcome> {
  const { log, observe } = context
  const key = { step: 'execute', query: query.id, attempt: query.attempt }
  const { sql, isConfirmed, tooExpensive } = query
  return log.step(key, { sql, isConfirmed, tooExpensive }, executionOutcomeSchema, signal, async trace => {
    observe({ kind: 'step_started', ...key })
    const outcome = await run(context, query, prepared ?? (await prepareQuery(context, query, signal)), signal)
    if (outcome.kind === 'costly') trace.failure(outcome.excess)
    else if (outcome.kind !== 'succeeded') trace.failure(outcome.message)
    return outcome
  })
}

async function run(
  context: RunContext,
  query: WrittenQuery,
  prepared: PreparedQuery,
  signal: AbortSignal,
): Promise<ExecutionOutcome> {
  if (prepared.kind !== 'ready') return prepared
  const { deps } = context
  const { allowed } = prepared
  try {
    const result = await deps.warehouse.read({ sql: allowed.canonical, maxRows: deps.settings.maxRows }, signal)
    return succeeded(prepared, { ...result, rows: await inSlices(boundedCells(result.rows)) })
  } catch (error) {
    return failedQuery(context, query, prepared, error)
  }
}

function succeeded(
  { allowed: { canonical, tables }, unchecked, doubt }: Extract<PreparedQuery, { readonly kind: 'ready' }>,
  result: QueryResult,
): ExecutionOutcome {
  return {
    kind: 'succeeded',
    sql: canonical,
    tables,
    columns: result.columns,
    rows: result.rows,
    truncated: result.truncated,
    elapsed_ms: result.elapsedMs,
    unchecked,
    ...(doubt === undefined ? {} : { doubt }),
  }
}
