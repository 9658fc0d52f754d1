import { z } from 'zod'
import type { CatalogColumn, CatalogEntry } from '../../warehouse/catalog/entry.ts'
import { WarehouseError, type WarehouseErrorKind } from '../../warehouse/error.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import { readColumnType } from '../../warehouse/sql/column-type.ts'
import { quoteIdentifier } from '../../warehouse/sql/quote-identifier.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { SERVER_LIMITS } from '../limits.ts'

/**
 * The partitions of a MergeTree table, with the row counts of their data parts. If the table is partitioned by time, the latest
 * partition comes first.
 */
export interface TableLayout {
  readonly partitions: readonly { readonly id: string; readonly rows: number; readonly largestPart: number }[]
  readonly partitionedByTime: boolean
  /** The minimum and maximum of time columns in the whole table, by column name. */
  readonly ranges: ReadonlyMap<string, { readonly min: string; readonly max: string }>
}

const REFUSALS: ReadonlySet<WarehouseErrorKind> = new Set(['denied', 'unknown_name', 'query', 'syntax'])
const partitionRow = z.tuple([z.string(), z.coerce.number(), z.coerce.number()]).rest(z.string().nullable())

/**
 * Reads the layout from the metadata of data parts, without reading rows. The implicit minmax-count projection answers `GROUP BY
 * _partition_id, _part` with one row per part (measured on 26.7). It covers the partition key and the first column of the primary
 * key. An EXPLAIN ESTIMATE first shows whether the query would read table rows nevertheless; then the query is not run.
 * Lightweight deletes, row policies and older servers cause this.
 * @returns undefined if the metadata are not enough, or the grant covers only single columns
 * @throws WarehouseError if the warehouse is unreachable or too slow
 */
export async function readLayout(
  warehouse: Warehouse,
  entry: CatalogEntry,
  signal: AbortSignal,
): Promise<TableLayout | undefined> {
  try {
    return await askLayout(warehouse, entry, signal)
  } catch (error) {
    if (error instanceof WarehouseError && REFUSALS.has(error.kind)) return undefined
    throw error
  }
}

async function askLayout(warehouse: Warehouse, entry: CatalogEntry, signal: AbortSignal): Promise<TableLayout | undefined> {
  const columns = timeKeys(entry)
  const sql = layoutQuery(entry, columns)
  const timeoutMs = CATALOG_LIMITS.tableTimeoutMs
  const estimate = await warehouse.read({ sql: `EXPLAIN ESTIMATE ${sql}`, timeoutMs }, signal)
  if (estimate.rows.length > 0) return undefined

  const result = await warehouse.read({ sql, timeoutMs, maxRows: SERVER_LIMITS.partitions }, signal)
  const rows = partitionRow.array().safeParse(result.rows)
  if (!rows.success || result.truncated) return undefined
  const ranges = new Map<string, { min: string; max: string }>()
  columns.forEach((column, index) => {
    const minima = rows.data.map(row => row[3 + 2 * index]).filter(value => typeof value === 'string')
    const maxima = rows.data.map(row => row[4 + 2 * index]).filter(value => typeof value === 'string')
    const [min, max] = [minima.sort().at(0), maxima.sort().at(-1)]
    if (min !== undefined && max !== undefined) ranges.set(column.name, { min, max })
  })
  return {
    partitions: rows.data.map(([id, count, largestPart]) => ({ id, rows: count, largestPart })),
    partitionedByTime: columns[0]?.inPartitionKey ?? false,
    ranges,
  }
}

/** Returns the time columns in the partition key, and the first column of the primary key if it is a time column. */
function timeKeys(entry: CatalogEntry): readonly CatalogColumn[] {
  const times = entry.columns.filter(column => readColumnType(column.type).kind === 'time' && !column.isPrivate)
  const partitioning = times.filter(column => column.inPartitionKey)
  const leading = times.filter(column => !column.inPartitionKey && leads(column, entry.primaryKey))
  return [...partitioning, ...leading]
}

/**
 * Whether a key, in the server's spelling, begins with this very column. The key `time, id` begins with `time`; `toDate(time),
 * id` does not.
 */
export function leads(column: CatalogColumn, key: string): boolean {
  return [column.name, quoteIdentifier(column.name)].some(name => key === name || key.startsWith(`${name}, `))
}

function layoutQuery(entry: CatalogEntry, columns: readonly CatalogColumn[]): string {
  const table = `${quoteIdentifier(entry.database)}.${quoteIdentifier(entry.name)}`
  const extremes = columns.map(({ name }, index) => {
    const column = quoteIdentifier(name)
    return `, min(${column}) AS clew_low_${index}, max(${column}) AS clew_high_${index}`
  })
  const texts = columns.map((_column, index) => `, toString(min(clew_low_${index})), toString(max(clew_high_${index}))`)
  const order = columns.length > 0 ? 'max(clew_high_0) DESC' : '_partition_id DESC'
  return `SELECT _partition_id, sum(clew_rows), max(clew_rows)${texts.join('')}
FROM (SELECT _partition_id, _part, count() AS clew_rows${extremes.join('')} FROM ${table} GROUP BY _partition_id, _part)
GROUP BY _partition_id ORDER BY ${order}`
}
