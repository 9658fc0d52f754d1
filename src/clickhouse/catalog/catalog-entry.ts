import { z } from 'zod'
import type { ColumnSchema, ColumnStatistics, TableSchema } from '../schema.ts'

const columnStatistics = z.object({
  distinct: z.number(),
  nullShare: z.number(),
  min: z.string().nullable(),
  max: z.string().nullable(),
  rangeExact: z.boolean().optional(),
  samples: z.array(z.string()).readonly(),
  rowsScanned: z.number(),
  exact: z.boolean(),
})

const catalogColumn = z.object({
  name: z.string(),
  type: z.string(),
  comment: z.string(),
  computed: z.object({ kind: z.enum(['DEFAULT', 'MATERIALIZED', 'ALIAS', 'EPHEMERAL']), expression: z.string() }).optional(),
  isPrivate: z.boolean().optional(),
  /** Uncompressed bytes of the whole column; 0 where the server does not say (it does not for small parts). */
  bytes: z.number(),
  inPartitionKey: z.boolean(),
})

const tableStatistics = z.object({
  gatheredAt: z.number(),
  /** False after a failure: tried again sooner. */
  complete: z.boolean(),
  /** The table's rows at the time. */
  rows: z.number().nullable(),
  columns: z.record(z.string(), columnStatistics),
})

/** One table as the catalog keeps and caches it. It is current while the live list of tables shows the same fingerprint. */
export const catalogEntry = z.object({
  fingerprint: z.string(),
  /** False where the table may have changed once more in the second it was fetched in. */
  settled: z.boolean(),
  fetchedAt: z.number(),
  database: z.string(),
  name: z.string(),
  engine: z.string(),
  comment: z.string(),
  primaryKey: z.string(),
  sortingKey: z.string(),
  partitionKey: z.string(),
  samplingKey: z.string(),
  viewDefinition: z.string(),
  columns: z.array(catalogColumn),
  /** The table's rows when the sizes of its columns were read; null where the engine does not know. */
  rowsThen: z.number().nullable(),
  statistics: tableStatistics.optional(),
})

export type CatalogEntry = z.infer<typeof catalogEntry>
export type CatalogColumn = z.infer<typeof catalogColumn>
export type TableStatistics = z.infer<typeof tableStatistics>

/** The entry as everyone else sees it. */
export function toTableSchema(entry: CatalogEntry, rows: number | null): TableSchema {
  const { database, name, engine, comment, primaryKey, sortingKey, partitionKey, viewDefinition } = entry
  const statistics = new Map(Object.entries(entry.statistics?.columns ?? {}))
  const columns = entry.columns.map(column => toColumnSchema(column, entry.rowsThen, statistics.get(column.name)))
  return {
    ...{ database, name, engine, comment, primaryKey, sortingKey, partitionKey, rows, viewDefinition, columns },
    ...(entry.samplingKey !== '' && { samplingKey: entry.samplingKey }),
  }
}

function toColumnSchema(column: CatalogColumn, rowsThen: number | null, statistics: ColumnStatistics | undefined): ColumnSchema {
  const { name, type, comment, computed, isPrivate, bytes } = column
  return {
    name,
    type,
    comment,
    ...(computed && { computed }),
    ...(isPrivate && { isPrivate }),
    ...(bytes > 0 && rowsThen !== null && rowsThen > 0 && { bytesPerRow: bytes / rowsThen }),
    ...(statistics && !isPrivate && { statistics }),
  }
}
