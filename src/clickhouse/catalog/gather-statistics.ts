import { setMaxListeners } from 'node:events'
import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { withTimeLimit } from '../../base/with-time-limit.ts'
import type { CatalogEntry, TableStatistics } from '../../warehouse/catalog/entry.ts'
import { tableKey } from '../../warehouse/catalog/listed-table.ts'
import type { TableToGather } from '../../warehouse/catalog/reader.ts'
import { type JoinCandidate, joinCandidates } from '../../warehouse/joins/candidates.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { gatherJsonPaths, jsonColumns } from './json-paths.ts'
import { type MeasureDeps, measureOverlaps } from './measure-overlaps.ts'
import { affordableRows, isMergeTree, planScan, type ScanPlan } from './plan-scan.ts'
import { readLayout } from './read-layout.ts'
import { readStatistics, scannedColumns, statisticsQuery } from './statistics-query.ts'

interface GatherDeps {
  readonly warehouse: Warehouse
  readonly logger: Logger
  readonly now: () => number
}

/**
 * Gathers statistics of tables until the budget of time or bytes is spent. Takes two tables at a time, the most useful first.
 * Spends the rest of the budget on comparing columns with those that they may refer to, such as `orders.user_id` with `users.id`.
 * A table that fails gets empty statistics with `complete: false`. Throws nothing.
 * @param all every known table, including the tables to gather
 * @param take called with the statistics of a table, and again after its values were compared
 * @returns false if the budget ended before some table
 */
export async function gatherStatistics(
  deps: GatherDeps,
  tables: readonly TableToGather[],
  all: readonly TableToGather[],
  take: (table: TableToGather, statistics: TableStatistics) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const budget = withTimeLimit(signal, CATALOG_LIMITS.gatherMs)
  setMaxListeners(0, budget)
  let bytesLeft = CATALOG_LIMITS.gatherBytes
  async function each<Item>(items: readonly Item[], act: (item: Item) => Promise<number>): Promise<boolean> {
    const queue = items[Symbol.iterator]()
    let reachedAll = true
    const work = async () => {
      for (const item of queue) {
        const isSpent = budget.aborted || bytesLeft <= 0
        if (!isSpent) bytesLeft -= await act(item)
        // If the budget ended during the scan, a failure is not the table's fault. So the table is reported as not reached.
        if (isSpent || budget.aborted) reachedAll = false
      }
    }
    await Promise.all(Array.from({ length: CATALOG_LIMITS.gatherConcurrency }, work))
    return reachedAll
  }
  const gathered: GatheredTable[] = []
  const reachedAll = await each([...tables].sort(byUsefulness), async table => {
    const { statistics, bytesRead, plan } = await gatherTable(deps, table, budget)
    if (budget.aborted) return bytesRead
    take(table, statistics)
    if (plan !== undefined) gathered.push({ table, statistics, plan })
    return bytesRead
  })
  const measuring = measuringDeps(deps, all)
  await each(toCompare(all, gathered), async ({ table, statistics, plan, candidates }) => {
    const { overlaps, bytesRead } = await measureOverlaps(measuring, candidates, plan, budget)
    if (!budget.aborted) take(table, { ...statistics, overlaps })
    return bytesRead
  })
  return reachedAll
}

interface GatheredTable {
  readonly table: TableToGather
  readonly statistics: TableStatistics
  /** How the table was scanned. */
  readonly plan: ScanPlan
}

function measuringDeps({ warehouse, logger }: GatherDeps, all: readonly TableToGather[]): MeasureDeps {
  const known = new Map(all.map(({ entry, listed }) => [tableKey(entry), { entry, rows: listed.rows }]))
  return { warehouse, logger, find: table => known.get(tableKey(table)) }
}

/** Returns the possible joins of each table, up to the maximum number of comparisons. */
function toCompare(all: readonly TableToGather[], gathered: readonly GatheredTable[]) {
  const chosen = gathered.slice(0, CATALOG_LIMITS.comparedTables)
  const entries = chosen.map(({ table }) => table.entry)
  const byTable = new Map<CatalogEntry, JoinCandidate<CatalogEntry>[]>(entries.map(entry => [entry, []]))
  const candidates = joinCandidates(
    all.map(({ entry }) => entry),
    entries,
  )
  for (const candidate of candidates.slice(0, CATALOG_LIMITS.comparisons)) byTable.get(candidate.from)?.push(candidate)
  return chosen
    .map(each => ({ ...each, candidates: byTable.get(each.table.entry) ?? [] }))
    .filter(each => each.candidates.length > 0)
}

/**
 * Orders tables for gathering. Larger tables come first, because most questions are about them. Leftover copies such as
 * `orders_old` come last.
 */
function byUsefulness(left: TableToGather, right: TableToGather): number {
  const leftover = Number(isLeftover(left)) - Number(isLeftover(right))
  return leftover !== 0 ? leftover : (right.listed.rows ?? 0) - (left.listed.rows ?? 0)
}

function isLeftover({ entry }: TableToGather): boolean {
  return /(^|_)(tmp|temp|old|bak|backup|copy|test|deprecated)(_|\d|$)/i.test(entry.name)
}

async function gatherTable(
  deps: GatherDeps,
  { entry, listed }: TableToGather,
  signal: AbortSignal,
): Promise<{ statistics: TableStatistics; bytesRead: number; plan?: ScanPlan }> {
  // Comparisons of this table's columns from an earlier run stay valid until new ones replace them.
  const overlaps = entry.statistics?.overlaps ?? []
  const none = { gatheredAt: deps.now(), complete: true, rows: listed.rows, columns: {}, paths: {}, overlaps }
  const columns = scannedColumns(entry, listed.rows)
  const json = jsonColumns(entry)
  if ((columns.length === 0 && json.length === 0) || listed.rows === 0) return { statistics: none, bytesRead: 0 }
  const fields = { database: entry.database, table: entry.name }
  try {
    const affordable = affordableRows(entry, [...columns, ...json], listed.rows, listed.bytes)
    const needsLayout = isMergeTree(entry.engine) && (listed.rows ?? 0) > affordable
    const layout = needsLayout ? await readLayout(deps.warehouse, entry, signal) : undefined
    const plan = planScan(entry, listed.rows, affordable, layout)
    const query = { sql: statisticsQuery(entry, columns, plan), timeoutMs: CATALOG_LIMITS.tableTimeoutMs }
    const result = await deps.warehouse.read(query, signal)
    const statistics = readStatistics(result, columns, plan, layout?.ranges ?? new Map())
    const found = await gatherJsonPaths(deps.warehouse, entry, json, plan, signal)
    deps.logger.debug({ ...fields, rowsRead: result.rowsRead, elapsedMs: result.elapsedMs }, 'table statistics gathered')
    return {
      statistics: { ...none, complete: statistics !== undefined, ...statistics, paths: found.paths },
      bytesRead: result.bytesRead + found.bytesRead,
      plan,
    }
  } catch (error) {
    if (!signal.aborted) deps.logger.warn({ ...fields, error: errorMessage(error) }, 'table statistics failed')
    return { statistics: { ...none, complete: false }, bytesRead: 0 }
  }
}
