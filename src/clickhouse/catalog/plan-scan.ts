import type { CatalogColumn, CatalogEntry } from './catalog-entry.ts'
import { CATALOG_LIMITS } from './catalog-limits.ts'
import { readColumnType } from './column-type.ts'
import { quoteIdentifier } from './quote-identifier.ts'
import { leads, type TableLayout } from './read-layout.ts'

/** What of a table is scanned. `clause` follows FROM table; it bounds what is read by itself, for a reader may send no settings. */
export interface ScanPlan {
  readonly whole: boolean
  readonly clause: string
}

/** The granule that MergeTree reads at the least, with the default index_granularity. */
const GRANULE_ROWS = 8_192

/**
 * Whether a table can be read in part, cheaply and without effect. Not so: streams (reading Kafka consumes it), remote sources (S3, URL,
 * MySQL … are read whole), views (they compute; a materialised one with rows of its own is a table), Merge and Buffer (what they show
 * is scanned where it lies).
 */
export function isScannable(engine: string, rows: number | null): boolean {
  if (engine === 'MaterializedView') return rows !== null
  return isMergeTree(engine) || /^(Memory|Log|TinyLog|StripeLog|Distributed)$/.test(engine)
}

export function isMergeTree(engine: string): boolean {
  return engine.endsWith('MergeTree')
}

/** How many rows of a table of this width may be scanned. */
export function affordableRows(
  entry: CatalogEntry,
  columns: readonly CatalogColumn[],
  rows: number | null,
  bytes: number,
): number {
  const known = columns.reduce((sum, column) => sum + column.bytes, 0)
  // Small parts tell no sizes by column; the compressed size of all, taken to be a tenth of the real one, stands in for them.
  const rowBytes = (known > 0 ? known : bytes * 10) / Math.max(1, rows ?? 1)
  const { scanRows, scanBytes } = CATALOG_LIMITS
  const affordable = Math.min(scanRows, Math.floor(scanBytes / Math.max(1, rowBytes)))
  const isKnown = rows !== null && entry.engine !== 'Distributed'
  return Math.max(100, isKnown ? affordable : Math.floor(affordable / 8))
}

/**
 * Chooses what is scanned of a table with more rows than are affordable: of one partitioned by time the most recent partitions, of one
 * sorted by time its end, of any other all of it; and of that some windows spread evenly over each part, because the head of a
 * sorted table has but the first values of its key. Where the layout is unknown, its first rows.
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
  // The limit holds where there are many small parts, each of which begins with a window.
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
