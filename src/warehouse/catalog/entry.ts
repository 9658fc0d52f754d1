import { z } from 'zod'
import type { ColumnSchema, TableSchema } from '../schema.ts'

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

const jsonPath = z.object({ path: z.string(), types: z.array(z.string()).readonly(), statistics: columnStatistics.optional() })

export const catalogColumn = z.object({
  name: z.string(),
  type: z.string(),
  nativeType: z.string().optional(),
  comment: z.string(),
  computed: z.object({ kind: z.enum(['DEFAULT', 'MATERIALIZED', 'ALIAS', 'EPHEMERAL']), expression: z.string() }).optional(),
  isPrivate: z.boolean().optional(),
  /**
   * The uncompressed size of the whole column, in bytes. 0 if the server does not report sizes, as for tables with small data
   * parts.
   */
  bytes: z.number(),
  inPartitionKey: z.boolean(),
})

const tableName = z.object({ database: z.string(), name: z.string() })

const valueOverlap = z.object({
  columns: z.array(z.string()).readonly(),
  table: tableName,
  tableColumns: z.array(z.string()).readonly(),
  values: z.number(),
  found: z.number(),
})

const declaredReference = z.object({
  columns: z.array(z.string()).readonly(),
  table: tableName,
  tableColumns: z.array(z.string()).readonly(),
})

const tableStatistics = z.object({
  gatheredAt: z.number(),
  /** False if gathering the statistics failed. The next attempt then comes sooner. */
  complete: z.boolean(),
  /** The number of rows in the table when its statistics were gathered. */
  rows: z.number().nullable(),
  columns: z.record(z.string(), columnStatistics),
  /** The paths found in each JSON column. The key is the column's name. */
  paths: z.record(z.string(), z.array(jsonPath).readonly()).default({}),
  key: z.object({ distinct: z.number(), rowsScanned: z.number(), exact: z.boolean() }).optional(),
  overlaps: z.array(valueOverlap).readonly().default([]),
})

/**
 * A table in the catalog's cache. The entry is current while the server's table list shows the same fingerprint for the table.
 */
export const catalogEntry = z.object({
  fingerprint: z.string(),
  /**
   * False if the table was fetched within seconds of a change. The entry may then lack another change in the same second, so the
   * table must be fetched again.
   */
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
  engineColumns: z.array(z.string()).readonly(),
  ttl: z.string(),
  linked: tableName.optional(),
  references: z.array(declaredReference).readonly().optional(),
  viewDefinition: z.string(),
  columns: z.array(catalogColumn),
  /**
   * The row count at the time when the column sizes were read. With it, the sizes give bytes per row. Null if the engine reports
   * no count.
   */
  rowsThen: z.number().nullable(),
  statistics: tableStatistics.optional(),
})

export type CatalogEntry = z.infer<typeof catalogEntry>
export type CatalogColumn = z.infer<typeof catalogColumn>
export type TableStatistics = z.infer<typeof tableStatistics>

/** Adds the gathered statistics to those columns that the table has. It may lack columns that the asker is not allowed to see. */
export function withStatisticsOf(entry: CatalogEntry, table: TableSchema): TableSchema {
  const found = foundOf(entry)
  const columns = table.columns.map(column => (column.isPrivate ? column : { ...column, ...found(column.name) }))
  return { ...table, columns }
}

/** Turns an entry into a table with all its columns, including columns that are hidden from some askers. */
export function toTableSchema(entry: CatalogEntry, rows: number | null): TableSchema {
  const { database, name, engine, comment, primaryKey, sortingKey, partitionKey, viewDefinition } = entry
  const { engineColumns, ttl, linked, references } = entry
  const { key, overlaps = [] } = entry.statistics ?? {}
  const found = foundOf(entry)
  const columns = entry.columns.map(column => toColumnSchema(column, entry.rowsThen, found(column.name)))
  return {
    ...{ database, name, engine, comment, primaryKey, sortingKey, partitionKey, rows, viewDefinition, columns },
    ...(entry.samplingKey !== '' && { samplingKey: entry.samplingKey }),
    ...(engineColumns.length > 0 && { engineColumns }),
    ...(ttl !== '' && { ttl }),
    ...(linked && { linked }),
    ...(key && { key }),
    ...(overlaps.length > 0 && { overlaps }),
    ...(references && { references }),
  }
}

/** Returns a function that takes a column's name and returns the statistics and JSON paths gathered for it. */
function foundOf({ statistics }: CatalogEntry): (column: string) => Pick<ColumnSchema, 'statistics' | 'paths'> {
  const columns = new Map(Object.entries(statistics?.columns ?? {}))
  const paths = new Map(Object.entries(statistics?.paths ?? {}))
  return column => {
    const [own, within] = [columns.get(column), paths.get(column)]
    return { ...(own && { statistics: own }), ...(within && { paths: within }) }
  }
}

function toColumnSchema(
  column: CatalogColumn,
  rowsThen: number | null,
  found: Pick<ColumnSchema, 'statistics' | 'paths'>,
): ColumnSchema {
  const { name, type, nativeType, comment, computed, isPrivate, bytes } = column
  return {
    name,
    type,
    ...(nativeType !== undefined && { nativeType }),
    comment,
    ...(computed && { computed }),
    ...(isPrivate && { isPrivate }),
    ...(bytes > 0 && rowsThen !== null && rowsThen > 0 && { bytesPerRow: bytes / rowsThen }),
    ...(isPrivate ? {} : found),
  }
}
