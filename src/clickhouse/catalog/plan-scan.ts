import type { CatalogColumn, CatalogEntry } from '../../warehouse/catalog/entry.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import { readColumnType } from '../../warehouse/sql/column-type.ts'
import { quoteIdentifier } from '../../warehouse/sql/quote-identifier.ts'
import { leads, type TableLayout } from './read-layout.ts'

/**
 * Which rows of a table to scan. `clause` is SQL that follows the table in FROM, such as `LIMIT 1000`. Only this clause limits
 * the read: the reading user may be unable to change settings.
 */
export interface ScanPlan {
  readonly whole: boolean
  readonly clause: string
}

/** The default number of rows in a granule, the smallest unit that a MergeTree table reads. */
const GRANULE_ROWS = 8_192

/**
 * Whether a table can be read in part, cheaply and without side effects. Excluded are:
 * - streams, because reading consumes their rows
 * - remote sources, because reading a part still reads everything
 * - views, because they compute their rows; but materialized views that store rows are included
 * - Merge and Buffer tables, because the tables behind them are scanned instead
 */
export function isScannable(engine: string, rows: number | null): boolean {
  if (engine === 'MaterializedView') return rows !== null
  return isMergeTree(engine) || /^(Memory|Log|TinyLog|StripeLog|Distributed)$/.test(engine)
}

export function isMergeTree(engine: string): boolean {
  return engine.endsWith('MergeTree')
}

/** Returns the maximum number of rows to scan. It is lower for a table with wide rows. */
export function affordableRows(
  entry: CatalogEntry,
  columns: readonly CatalogColumn[],
  rows: number | null,
  bytes: number,
): number {
  const known = columns.reduce((sum, column) => sum + column.bytes, 0)
  // Tables with small data parts may report no column sizes. Their uncompressed size is estimated as ten times the compressed
  // size.
  const rowBytes = (known > 0 ? known : bytes * 10) / Math.max(1, rows ?? 1)
  const { scanRows, scanBytes } = CATALOG_LIMITS
  const affordable = Math.min(scanRows, Math.floor(scanBytes / Math.max(1, rowBytes)))
  const isKnown = rows !== null && entry.engine !== 'Distributed'
  return Math.max(100, isKnown ? affordable : Math.floor(affordable / 8))
}

/**
 * Chooses which rows of a large table to scan:
 * - the last rows, if the table is sorted by time but not partitioned by it
 * - the latest partitions, if the table is partitioned by time
 * - windows at even distances otherwise, because the beginning of a sorted table has only the first key values
 * - the first rows, if the layout is unknown
 */
export function planScan(
  entry: CatalogEntry,
  rows: number | null,
  affordable: number,
  layout: TableLayout | undefined,
): ScanPlan {
  if (rows !== null && rows <= affordable && entry.engine !== 'Distributed') return { whole: true, clause: '' }
  const newest = entry.columns.find(
    column => readColumnType(column.type).kind === 'time' && leads(column, entry.sortingKey) && !column.isPrivate,
  )
  if (isMergeTree(entry.engine) && newest !== undefined && !layout?.partitionedByTime) {
    return { whole: false, clause: `ORDER BY ${quoteIdentifier(newest.name)} DESC LIMIT ${affordable}` }
  }
  if (layout === undefined || layout.partitions.length === 0) return { whole: false, clause: `LIMIT ${affordable}` }
  return { whole: false, clause: windowClause(layout, affordable) }
}

function windowClause(layout: TableLayout, affordable: number): string {
  const chosen = layout.partitionedByTime ? recentPartitions(layout, affordable) : layout.partitions
  const rows = chosen.reduce((sum, partition) => sum + partition.rows, 0)
  const largest = Math.max(...chosen.map(partition => partition.largestPart))
  const windows = Math.max(1, Math.min(CATALOG_LIMITS.scanWindows, Math.floor(affordable / GRANULE_ROWS)))
  const width = Math.max(1, Math.floor(affordable / windows))
  const step = Math.max(width, Math.ceil(rows / windows))
  const ranges = Array.from({ length: Math.ceil(largest / step) }, (_, index) => {
    const start = alignToGranule(index * step)
    return `(_part_offset >= ${start} AND _part_offset < ${start + width})`
  })
  const isPart = chosen.length < layout.partitions.length
  const partitions = `_partition_id IN (${chosen.map(partition => `'${partition.id.replace(/[^\w-]/g, '')}'`).join(', ')})`
  // Each data part has windows of its own, because `_part_offset` starts at 0 in each. With many small parts, all windows
  // together cover too many rows, so the LIMIT is needed too.
  return `WHERE ${isPart ? `${partitions} AND ` : ''}(${ranges.join(' OR ')}) LIMIT ${affordable * 2}`
}

function recentPartitions(layout: TableLayout, rows: number): TableLayout['partitions'] {
  let sum = 0
  const end = layout.partitions.findIndex(partition => {
    sum += partition.rows
    return sum >= rows
  })
  return end < 0 ? layout.partitions : layout.partitions.slice(0, end + 1)
}

function alignToGranule(offset: number): number {
  return Math.floor(offset / GRANULE_ROWS) * GRANULE_ROWS
}
