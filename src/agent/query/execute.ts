import { SIZES } from '../../base/sizes.ts'
import { inSlices } from '../../base/slices.ts'
import type { DataEdges } from '../../warehouse/data-edges.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { AllowedQuery } from '../../warehouse/query-validator.ts'
import { onOneLine } from '../../warehouse/sql/plain-text.ts'
import type { QueryResult } from '../../warehouse/warehouse.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { contractText, restricted, type Scan } from '../planning/scan.ts'
import type { QueryContext } from '../run/context.ts'
import { type CancellableTask, withTaskGroup } from '../run/task-group.ts'
import { boundedCells } from './bounded-cells.ts'
import { type ExecutionOutcome, executionOutcomeSchema } from './execution-outcome.ts'
import { findDataEdges } from './find-data-edges.ts'
import { failedQuery, type PreparedQuery, prepareQuery, type WrittenQuery } from './prepare-query.ts'

/**
 * Runs SQL from a model. No other function sends a model's SQL to the warehouse. The guard parses the SQL and prints it again,
 * and only the printed text is checked and run.
 * @param prepared the result of guard and check for this query, if they have already run
 * @throws WarehouseError of kind `cancelled` only
 */
export async function execute(
  context: QueryContext,
  query: WrittenQuery,
  signal: AbortSignal,
  prepared?: PreparedQuery,
): Promise<ExecutionOutcome> {
  const { log, observe } = context
  const key = { step: 'execute', query: query.id, attempt: query.attempt }
  const { sql, isConfirmed, tooExpensive, scan } = query
  return log.step(
    key,
    { sql, isConfirmed, tooExpensive, ...(scan && { columns: scan.columns }) },
    executionOutcomeSchema,
    signal,
    async trace => {
      observe({ kind: 'step_started', ...key })
      const outcome = await run(context, query, prepared ?? (await prepareQuery(context, query, signal)), signal)
      if (outcome.kind === 'costly') trace.failure(outcome.excess, 'cost')
      else if (outcome.kind === 'rejected') trace.failure(outcome.message, outcome.code)
      else if (outcome.kind === 'failed') trace.failure(outcome.message, outcome.error)
      return outcome
    },
  )
}

/** A query to read, and the SQL to show in its place, if that is shorter. */
type ReadQuery = AllowedQuery & { readonly shown?: string }
type NotReady = Exclude<PreparedQuery, { readonly kind: 'ready' }>

async function run(
  context: QueryContext,
  query: WrittenQuery,
  prepared: PreparedQuery,
  signal: AbortSignal,
): Promise<ExecutionOutcome> {
  if (prepared.kind !== 'ready') return prepared
  const { warehouse, maxRows, room, lookUpTimeLimitMs: waitMs = AGENT_LIMITS.query.edgesWaitMs } = context
  try {
    const { scan } = query
    const allowed: ReadQuery | NotReady =
      scan === undefined ? prepared.allowed : await scanned(context, { ...query, scan }, prepared, signal)
    if ('kind' in allowed) return allowed
    return await withTaskGroup(signal, async group => {
      const looking = group.start(own => findDataEdges(context, { schema: query.schema, query: allowed }, own).catch(() => null))
      const result = await warehouse.read({ sql: allowed.canonical, maxRows, room }, group.signal)
      const rows = await inSlices(boundedCells(result))
      const total = result.truncated ? await countRows(context, allowed.canonical, group.signal) : undefined
      return succeeded(prepared, { ...result, rows }, { edges: await ifSoon(looking, waitMs), total, shown: allowed.shown })
    })
  } catch (error) {
    return failedQuery(context, query, prepared, error)
  }
}

/**
 * Checks the columns of a query for a plan before it runs, and limits it to the rows of other sources' keys.
 * @returns the query to run, or why it cannot run
 * @throws WarehouseError
 */
async function scanned(
  context: QueryContext,
  query: WrittenQuery & { readonly scan: Scan },
  { allowed }: Extract<PreparedQuery, { readonly kind: 'ready' }>,
  signal: AbortSignal,
): Promise<ReadQuery | NotReady> {
  const { columns } = await context.warehouse.read({ sql: `SELECT * FROM (\n${allowed.canonical}\n) AS scanned LIMIT 0` }, signal)
  const mistake = await query.scan.admit(columns, signal)
  if (mistake !== undefined) {
    const message = `${onOneLine(mistake, AGENT_LIMITS.planning.mistakeCharacters)} ${contractText(query.scan)}`
    return { kind: 'rejected', code: 'contract', message, near: [] }
  }
  const restrict = await query.scan.restriction()
  if (restrict === null) return allowed
  const { sql, shown } = restricted(allowed.canonical, restrict, context.dialect)
  if (Buffer.byteLength(sql) > SIZES.sqlBytes) return allowed
  const limited = await prepareQuery(context, { ...query, sql, isConfirmed: true }, signal)
  return limited.kind === 'ready' ? { ...limited.allowed, shown } : allowed
}

/**
 * Counts the rows of a query's whole result. Undefined if that fails or takes too long.
 * @throws WarehouseError of kind `cancelled` only
 */
export async function countRows(
  { warehouse }: QueryContext,
  canonical: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const sql = `SELECT count(*) FROM (\n${canonical}\n) AS result`
  try {
    const { rows } = await warehouse.read({ sql, timeoutMs: AGENT_LIMITS.query.totalMs }, signal)
    return Number(rows[0]?.[0])
  } catch (error) {
    if (signal.aborted || !(error instanceof WarehouseError)) throw error
    return undefined
  }
}

/** Returns the end of the data if it is found in time. Otherwise returns null, because the answer must not wait longer. */
async function ifSoon(looking: CancellableTask<DataEdges | null>, waitMs: number): Promise<DataEdges | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>(resolve => {
    timer = setTimeout(resolve, waitMs, null)
  })
  try {
    return await Promise.race([looking.result, late])
  } finally {
    clearTimeout(timer)
  }
}

function succeeded(
  { allowed: { canonical, tables }, unchecked, doubt }: Extract<PreparedQuery, { readonly kind: 'ready' }>,
  result: QueryResult,
  {
    edges,
    total,
    shown,
  }: { readonly edges: DataEdges | null; readonly total: number | undefined; readonly shown?: string | undefined },
): ExecutionOutcome {
  return {
    kind: 'succeeded',
    sql: shown ?? canonical,
    tables,
    columns: result.columns,
    rows: result.rows,
    truncated: result.truncated,
    ...(total === undefined ? {} : { total_rows: total }),
    elapsed_ms: result.elapsedMs,
    unchecked,
    ...(doubt === undefined ? {} : { doubt }),
    ...(edges === null ? {} : { edges }),
  }
}
