import { setMaxListeners } from 'node:events'
import { errorMessage } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import type { Warehouse } from '../warehouse.ts'
import type { CatalogEntry, TableStatistics } from './catalog-entry.ts'
import { CATALOG_LIMITS } from './catalog-limits.ts'
import { affordableRows, isMergeTree, isScannable, planScan } from './plan-scan.ts'
import { readLayout } from './read-layout.ts'
import type { ListedTable } from './read-table-list.ts'
import { readStatistics, scannedColumns, statisticsQuery } from './statistics-query.ts'

export interface GatherDeps {
  readonly warehouse: Warehouse
  readonly logger: Logger
  readonly now: () => number
}

export interface TableToGather {
  readonly entry: CatalogEntry
  readonly listed: ListedTable
}

/**
 * Gathers the statistics of tables, the more useful first, two at a time, until the budget of time and bytes is spent.
 * A table that fails gets statistics that are empty and not complete; nothing is thrown.
 * @returns whether all tables were reached
 */
export async function gatherStatistics(
  deps: GatherDeps,
  tables: readonly TableToGather[],
  take: (table: TableToGather, statistics: TableStatistics) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const budget = AbortSignal.any([signal, AbortSignal.timeout(CATALOG_LIMITS.gatherMs)])
  setMaxListeners(0, budget)
  const queue = [...tables].sort(byUsefulness)[Symbol.iterator]()
  let bytesLeft = CATALOG_LIMITS.gatherBytes
  let reachedAll = true
  async function work(): Promise<void> {
    for (const table of queue) {
      if (budget.aborted || bytesLeft <= 0) {
        reachedAll = false
        return
      }
      const { statistics, bytesRead } = await gatherTable(deps, table, budget)
      bytesLeft -= bytesRead
      // What the end of the budget broke off is not the table's failure.
      if (!budget.aborted) take(table, statistics)
      else reachedAll = false
    }
  }
  await Promise.all(Array.from({ length: CATALOG_LIMITS.gatherConcurrency }, work))
  return reachedAll
}

/** Whether a table's statistics are missing, too old, of a failed try, or of a table that has grown or shrunk since. */
export function isDue({ entry, listed }: TableToGather, now: number): boolean {
  if (!isScannable(entry.engine, listed.rows)) return false
  const { statistics } = entry
  if (statistics === undefined) return true
  const age = (now - statistics.gatheredAt) / 1_000
  if (age > (statistics.complete ? CATALOG_LIMITS.statisticsSeconds : CATALOG_LIMITS.statisticsRetrySeconds)) return true
  if (age < CATALOG_LIMITS.growthPauseSeconds || statistics.rows === null || listed.rows === null) return false
  return (
    listed.rows > statistics.rows * CATALOG_LIMITS.growthFactor || listed.rows * CATALOG_LIMITS.growthFactor < statistics.rows
  )
}

/** Leftovers last, then the larger first: facts are what is asked about, and a small table costs no time to wait for. */
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
): Promise<{ statistics: TableStatistics; bytesRead: number }> {
  const none = { gatheredAt: deps.now(), complete: true, rows: listed.rows, columns: {} }
  const columns = scannedColumns(entry, listed.rows)
  if (columns.length === 0 || listed.rows === 0) return { statistics: none, bytesRead: 0 }
  const fields = { database: entry.database, table: entry.name }
  try {
    const affordable = affordableRows(entry, columns, listed.rows, listed.bytes)
    const needsLayout = isMergeTree(entry.engine) && (listed.rows ?? 0) > affordable
    const layout = needsLayout ? await readLayout(deps.warehouse, entry, signal) : undefined
    const plan = planScan(entry, listed.rows, affordable, layout)
    const query = { sql: statisticsQuery(entry, columns, plan), timeoutMs: CATALOG_LIMITS.tableTimeoutMs }
    const result = await deps.warehouse.read(query, signal)
    const statistics = readStatistics(result, columns, plan, layout?.ranges ?? new Map())
    deps.logger.debug({ ...fields, rowsRead: result.rowsRead, elapsedMs: result.elapsedMs }, 'table statistics gathered')
    return {
      statistics: { ...none, complete: statistics !== undefined, columns: statistics ?? {} },
      bytesRead: result.bytesRead,
    }
  } catch (error) {
    if (!signal.aborted) deps.logger.warn({ ...fields, error: errorMessage(error) }, 'table statistics failed')
    return { statistics: { ...none, complete: false }, bytesRead: 0 }
  }
}
