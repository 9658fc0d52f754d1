import { z } from 'zod'
import { withTimeLimit } from '../../base/with-time-limit.ts'
import type { ColumnLineage } from '../../warehouse/column-lineage.ts'
import { readRows } from '../../warehouse/read-rows.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { type ResolvedNode, readResolvedTree } from '../resolved-tree.ts'
import { ResolvedSources, UntracedTreeError } from './resolved-sources.ts'
import { type KnownOfTree, type TableColumns, traceColumns, traceGathered } from './trace-columns.ts'

/**
 * While the engine resolves names, it runs scalar subqueries. Their values do not matter here, so each may read at most one
 * block. The last setting keeps the subqueries in the tree instead of their values.
 */
const SETTINGS = "max_rows_to_read = 1, read_overflow_mode = 'break', enable_scalar_subquery_optimization = 0"

const COLUMNS = `
SELECT concat(database, {dot:String}, table) AS whole_name, name FROM system.columns
WHERE has({tables:Array(String)}, concat(database, {dot:String}, table)) ORDER BY whole_name, position`

const columnRow = z.object({ whole_name: z.string(), name: z.string() })
const lineSchema = z.tuple([z.string()]).transform(([line]) => line)

/**
 * Finds the input columns of a query. The engine itself resolves the names, in the first pass of `EXPLAIN QUERY TREE`. This pass
 * reads no table, except in scalar subqueries. A view or table function is an input itself; the tables behind it are not traced.
 * @param query.sql one SELECT that the caller is allowed to run
 * @param query.timeLimitMs the time limit of all steps together; default two seconds
 * @returns undefined if the tree has a node that Clew does not know
 * @throws WarehouseError
 */
export async function readColumnLineage(
  warehouse: Pick<Warehouse, 'readOwn'>,
  {
    sql,
    database,
    timeLimitMs = SERVER_LIMITS.lineageMs,
  }: { readonly sql: string; readonly database: string; readonly timeLimitMs?: number },
  signal: AbortSignal,
): Promise<ColumnLineage | undefined> {
  const query = { sql, database, settings: ` SETTINGS ${SETTINGS}`, timeLimitMs }
  return readTraced(warehouse.readOwn.bind(warehouse), query, traceColumns, signal)
}

/**
 * Finds the input columns of each result column, as the reading user, who may change no setting. A column that `LIMIT 1 BY` picks from
 * several rows is gathered, like one of argMax.
 * @param query.sql a query that the guard allows; its scalar subqueries run
 * @returns undefined if the tree has a node that Clew does not know
 * @throws WarehouseError
 */
export async function readGatheredColumns(
  warehouse: Pick<Warehouse, 'read'>,
  { sql, database }: { readonly sql: string; readonly database: string },
  signal: AbortSignal,
): Promise<ColumnLineage['fields'] | undefined> {
  const query = { sql, database, settings: '', timeLimitMs: SERVER_LIMITS.lineageMs }
  return readTraced(warehouse.read.bind(warehouse), query, traceGathered, signal)
}

interface TracedQuery {
  readonly sql: string
  readonly database: string
  readonly settings: string
  readonly timeLimitMs: number
}

async function readTraced<Found>(
  read: Warehouse['readOwn'],
  { sql, database, settings, timeLimitMs }: TracedQuery,
  trace: (root: ResolvedNode, known: KnownOfTree) => Found,
  signal: AbortSignal,
): Promise<Found | undefined> {
  const bounded = withTimeLimit(signal, timeLimitMs)
  const explain = `EXPLAIN QUERY TREE run_passes = 1, passes = 1 SELECT * FROM (\n${sql}\n)${settings}`
  const { rows } = await read({ sql: explain, database, timeoutMs: timeLimitMs }, bounded)
  const lines = z
    .array(lineSchema)
    .parse(rows)
    .flatMap(line => line.split('\n'))
  const root = lines.length > SERVER_LIMITS.treeLines ? undefined : readResolvedTree(lines)
  if (root === undefined) return undefined
  try {
    const sources = new ResolvedSources(root)
    const tableColumns = await readTableColumns(read, sources.tablesToDescribe, bounded)
    return trace(root, { sources, tableColumns, database })
  } catch (error) {
    if (error instanceof UntracedTreeError) return undefined
    throw error
  }
}

async function readTableColumns(
  read: Warehouse['readOwn'],
  tables: readonly string[],
  signal: AbortSignal,
): Promise<TableColumns> {
  if (tables.length === 0) return new Map()
  const query = { sql: COLUMNS, parameters: { tables, dot: '.' }, database: 'system', timeoutMs: SERVER_LIMITS.lineageMs }
  const columns = new Map<string, Set<string>>()
  for (const { whole_name: table, name } of await readRows({ read }, query, columnRow, signal)) {
    columns.set(table, (columns.get(table) ?? new Set()).add(name))
  }
  return columns
}
