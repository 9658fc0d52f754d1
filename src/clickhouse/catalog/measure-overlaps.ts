import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import type { CatalogEntry } from '../../warehouse/catalog/entry.ts'
import { isSensitiveName } from '../../warehouse/catalog/sensitive-name.ts'
import type { JoinCandidate } from '../../warehouse/joins/candidates.ts'
import { keyColumns } from '../../warehouse/joins/joinable-table.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import type { ValueOverlap } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type ColumnComparison, overlapQuery, readOverlap } from './overlap-query.ts'
import type { ScanPlan } from './plan-scan.ts'
import { isScannable } from './plan-scan.ts'

export interface MeasureDeps {
  readonly warehouse: Warehouse
  readonly logger: Logger
  /** Returns a table's catalog entry and row count. Returns undefined for a table that is not in the catalog. */
  readonly find: (table: { readonly database: string; readonly name: string }) => KnownTable | undefined
}

export interface KnownTable {
  readonly entry: CatalogEntry
  readonly rows: number | null
}

/**
 * Compares the columns of a table with those that they may refer to, such as `orders.user_id` with `users.id`. Skips comparisons
 * that would cost too much, and columns with sensitive names. Private columns are never among the candidates. Never throws.
 * @returns the overlaps, and the number of bytes that the server read
 */
export async function measureOverlaps(
  deps: MeasureDeps,
  candidates: readonly JoinCandidate<CatalogEntry>[],
  plan: ScanPlan,
  signal: AbortSignal,
): Promise<{ readonly overlaps: readonly ValueOverlap[]; readonly bytesRead: number }> {
  const overlaps: ValueOverlap[] = []
  let bytesRead = 0
  for (const candidate of candidates) {
    const comparison = comparisonOf(deps, candidate, plan)
    if (comparison === undefined || signal.aborted) continue
    try {
      const query = { sql: overlapQuery(comparison), timeoutMs: CATALOG_LIMITS.tableTimeoutMs }
      const result = await deps.warehouse.read(query, signal)
      bytesRead += result.bytesRead
      const counted = readOverlap(result)
      const { columns, to, toColumns } = candidate
      const table = { database: to.database, name: to.name }
      if (counted !== undefined) overlaps.push({ columns, table, tableColumns: toColumns, ...counted })
    } catch (error) {
      const { from, columns } = candidate
      const fields = { database: from.database, table: from.name, columns, error: errorMessage(error) }
      if (!signal.aborted) deps.logger.warn(fields, 'values not compared')
    }
  }
  return { overlaps, bytesRead }
}

function comparisonOf(deps: MeasureDeps, candidate: JoinCandidate<CatalogEntry>, plan: ScanPlan): ColumnComparison | undefined {
  const { from, columns, to, toColumns } = candidate
  if ([...columns, ...toColumns].some(isSensitiveName)) return undefined
  // Reading a dictionary would load it into memory. So the values are looked up in the table behind the dictionary.
  const known = deps.find(to.engine === 'Dictionary' && to.linked !== undefined ? to.linked : to)
  if (known === undefined || !isScannable(known.entry.engine, known.rows)) return undefined
  const named = toColumns.map(name => known.entry.columns.find(column => column.name === name && !column.isPrivate))
  if (named.some(column => column === undefined)) return undefined
  const key = keyColumns(known.entry.sortingKey, known.entry.columns)
  const isLed = toColumns.every((name, at) => key?.[at]?.name === name)
  const { scanRows, comparedRows, comparedValues, comparedByKey } = CATALOG_LIMITS
  const rows = known.entry.engine === 'Distributed' ? null : known.rows
  const isSmall = rows !== null && rows <= comparedRows
  if (!isSmall && !isLed) return undefined
  const isByKey = rows === null || rows > scanRows
  return { from, plan, columns, to: known.entry, toColumns, isByKey, values: isSmall ? comparedValues : comparedByKey }
}
