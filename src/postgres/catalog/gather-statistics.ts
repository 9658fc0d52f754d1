import { z } from 'zod'
import { type CatalogColumn, catalogEntry, type TableStatistics } from '../../warehouse/catalog/entry.ts'
import type { TableToGather } from '../../warehouse/catalog/reader.ts'
import { isSensitiveColumn } from '../../warehouse/catalog/sensitive-name.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import type { ColumnStatistics } from '../../warehouse/schema.ts'
import { readColumnType } from '../../warehouse/sql/column-type.ts'
import { cutCharacters } from '../../warehouse/sql/plain-text.ts'
import { parseArray } from '../values/value-form.ts'
import { askAboutTables, type CatalogAsk } from './ask-catalog.ts'

/**
 * The planner's statistics, which ANALYZE has written. A partitioned table has its own ones, over its partitions. `isUnique` is
 * true for a column that alone is a primary key or has a unique constraint.
 */
const STATISTICS = `
SELECT c.database, c.name, 300 * pg_catalog.current_setting('default_statistics_target')::float8 AS sampled,
  CASE WHEN c.relkind = 'p' THEN NULL ELSE pg_catalog.pg_stat_get_mod_since_analyze(c.oid)::float8 END AS changed,
  pg_catalog.json_agg(pg_catalog.json_build_object('name', s.attname, 'nulls', s.null_frac, 'distinct', s.n_distinct,
    'common', s.most_common_vals::text, 'elements', s.most_common_elems::text, 'bounds', s.histogram_bounds::text,
    'isUnique', EXISTS (SELECT FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
      WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indnkeyatts = 1 AND i.indpred IS NULL AND a.attname = s.attname))) AS columns
FROM c JOIN pg_catalog.pg_stats AS s ON s.schemaname = c.database AND s.tablename = c.name AND s.inherited = (c.relkind = 'p')
GROUP BY c.oid, c.database, c.name, c.relkind`

const columnSchema = z.object({
  name: z.string(),
  nulls: z.number(),
  distinct: z.number(),
  common: z.string().nullable(),
  elements: z.string().nullable(),
  bounds: z.string().nullable(),
  isUnique: z.boolean(),
})
const tableSchema = catalogEntry
  .pick({ database: true, name: true })
  .extend({ sampled: z.number(), changed: z.number().nullable(), columns: z.array(columnSchema) })
type TableRow = z.infer<typeof tableSchema>

/**
 * Reads what the server itself knows of the tables, without a scan. A table that was never analyzed gets empty statistics with
 * `complete: false`.
 * @throws WarehouseError
 */
export async function gatherStatistics(
  { ask, now }: { readonly ask: CatalogAsk; readonly now: () => number },
  tables: readonly TableToGather[],
  take: (table: TableToGather, statistics: TableStatistics) => void,
  signal: AbortSignal,
): Promise<void> {
  const asked = { nameOf: ({ entry }: TableToGather) => entry, sql: STATISTICS, row: tableSchema }
  for await (const [table, row] of askAboutTables(ask, tables, asked, signal)) take(table, tableStatistics(table, row, now()))
}

function tableStatistics({ entry, listed }: TableToGather, row: TableRow | undefined, gatheredAt: number): TableStatistics {
  const columns: Record<string, ColumnStatistics> = Object.create(null)
  const count = listed.rows ?? 0
  for (const own of row?.columns ?? []) {
    const column = entry.columns.find(({ name }) => name === own.name)
    // ANALYZE has read the whole table if it is small, and what has changed since is not among its values.
    const exact = row?.changed === 0 && count <= row.sampled
    if (column !== undefined && !column.isPrivate) columns[own.name] = columnStatistics(column, own, count, exact)
  }
  return { gatheredAt, complete: row !== undefined, rows: listed.rows, columns, paths: {}, overlaps: [] }
}

function columnStatistics(
  column: CatalogColumn,
  row: TableRow['columns'][number],
  count: number,
  exact: boolean,
): ColumnStatistics {
  const { kind, enumValues } = readColumnType(column.type)
  const filled = Math.round(count * (1 - row.nulls))
  // A negative number is a share of the rows. A unique index is certain, and the estimate is not.
  const distinct = row.isUnique ? filled : Math.round(row.distinct < 0 ? -row.distinct * count : row.distinct)
  const common = texts(row.common)
  const isShown = !isSensitiveColumn(column)
  const hasRange = isShown && (kind === 'number' || kind === 'small_number' || kind === 'time')
  const [min, max] = hasRange ? range(kind, [...common, ...texts(row.bounds)]) : [null, null]
  const values = kind === 'array' ? texts(row.elements) : common
  const isDocument = DOCUMENTS.test(column.nativeType ?? '')
  const isSampled = kind === 'enum' || (isShown && !isDocument && /^(small_number|text|array)$/.test(kind))
  const seen = isSampled && distinct <= CATALOG_LIMITS.sampledDistinct ? values.map(cutSample) : []
  return {
    distinct,
    nullShare: row.nulls,
    min,
    max,
    ...(exact && min !== null && { rangeExact: true }),
    samples: [...new Set([...seen.slice(0, CATALOG_LIMITS.samplesShown), ...enumValues.map(cutSample)])].slice(
      0,
      CATALOG_LIMITS.sampledDistinct,
    ),
    rowsScanned: count,
    exact,
  }
}

/** Types whose values are whole documents. One may hold anything, and nobody groups by it. */
const DOCUMENTS = /^(?:jsonb?|xml|bytea|tsvector|hstore)\b/

/** Reads an array of values of any type, in the server's spelling. */
function texts(array: string | null): readonly string[] {
  return array === null ? [] : parseArray(array).filter(value => typeof value === 'string')
}

/**
 * Returns the smallest and the largest value. Times have the same form, so their texts are in their order. A value such as NaN
 * or infinity takes the place of an end, so the range is not known then.
 */
function range(kind: string, values: readonly string[]): readonly [string | null, string | null] {
  const key = (value: string) => (kind === 'time' ? value : Number(value))
  const isPlain = (value: string) => (kind === 'time' ? /^\d{4}-[^B]*$/.test(value) : Number.isFinite(Number(value)))
  if (values.length === 0 || !values.every(isPlain)) return [null, null]
  const sorted = values.map(value => (kind === 'time' ? value.replace(/\+00$/, '') : value))
  sorted.sort((left, right) => (key(left) < key(right) ? -1 : 1))
  return [sorted[0] ?? null, sorted.at(-1) ?? null]
}

function cutSample(value: string): string {
  return cutCharacters(value, CATALOG_LIMITS.sampleCharacters)
}
