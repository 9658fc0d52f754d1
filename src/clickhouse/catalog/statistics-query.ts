import { z } from 'zod'
import type { CatalogColumn, CatalogEntry } from '../../warehouse/catalog/entry.ts'
import { isSensitiveColumn } from '../../warehouse/catalog/sensitive-name.ts'
import { keyColumns } from '../../warehouse/joins/joinable-table.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import type { ColumnStatistics, KeyStatistics } from '../../warehouse/schema.ts'
import { readColumnType } from '../../warehouse/sql/column-type.ts'
import { cutCharacters } from '../../warehouse/sql/plain-text.ts'
import { quoteIdentifier, quoteTable } from '../../warehouse/sql/quote-identifier.ts'
import type { QueryResult } from '../../warehouse/warehouse.ts'
import type { ScanPlan } from './plan-scan.ts'

/**
 * The number of cells per column in the result row: distinct values, NULLs, minimum, maximum, samples, and distinct values in
 * every second block.
 */
const CELLS = 6
const cells = z.tuple([
  z.coerce.number(),
  z.coerce.number(),
  z.string().nullable(),
  z.string().nullable(),
  z.array(z.string().nullable()),
  z.coerce.number(),
])

/**
 * Selects every second block of the scanned rows. If this half already has nearly all distinct values, the rest of the table
 * probably adds few, and the samples are kept. Otherwise they are dropped.
 */
const HALF = 'rowNumberInAllBlocks() % 16384 < 8192'

/**
 * Returns the columns to scan. Leaves out private and computed columns, types without statistics, and long text.
 * @param rows the number of rows in the table, for estimating the length of texts
 */
export function scannedColumns(entry: CatalogEntry, rows: number | null): readonly CatalogColumn[] {
  return entry.columns
    .filter(column => {
      if (column.isPrivate || column.computed?.kind === 'ALIAS' || column.computed?.kind === 'EPHEMERAL') return false
      if (rows && column.bytes / rows > CATALOG_LIMITS.columnBytes) return false
      return readColumnType(column.type).kind !== 'opaque'
    })
    .slice(0, CATALOG_LIMITS.columnsPerTable)
}

/**
 * Builds one query for the statistics of all columns of a table and of its sorting key. It returns no samples for a column with
 * many distinct values.
 * @param read returns the SQL expression that reads a column
 */
export function statisticsQuery(
  entry: CatalogEntry,
  columns: readonly CatalogColumn[],
  plan: ScanPlan,
  read = (column: CatalogColumn) => quoteIdentifier(column.name),
): string {
  // If a table has only JSON columns, no column is scanned here. The constant 1 keeps the query valid, and it still counts the
  // rows.
  const names = columns.length === 0 ? '1' : columns.map(read).join(', ')
  const expressions = columns.map(column => columnExpressions(column, plan).join(', '))
  const key = scannedKey(entry, columns)
  // `uniq` is exact only up to 65,536 values, but a key is proven unique only by an exact count. For the few scanned rows,
  // `uniqExact` costs no more.
  const keys = key === undefined ? 'NULL' : `uniqExact(${key.map(column => quoteIdentifier(column.name)).join(', ')})`
  return `SELECT count(), ${[keys, ...expressions].join(',\n')}\nFROM (SELECT ${names} FROM ${quoteTable(entry)} ${plan.clause})`
}

function scannedKey(entry: CatalogEntry, columns: readonly CatalogColumn[]): readonly CatalogColumn[] | undefined {
  return keyColumns(entry.sortingKey, columns)
}

function columnExpressions(column: CatalogColumn, plan: ScanPlan): readonly string[] {
  const { kind, nullable } = readColumnType(column.type)
  const name = quoteIdentifier(column.name)
  const values = kind === 'map' ? `mapKeys(${name})` : name
  const suffix = kind === 'map' || kind === 'array' ? 'Array' : ''
  const distinct = `uniq${suffix}(${values})`
  // The minimum and maximum are values of real rows. In a column such as a date of birth, they would reveal somebody's data.
  const hasRange = (kind === 'number' || kind === 'small_number' || kind === 'time') && !isSensitiveColumn(column)
  return [
    distinct,
    nullable ? `countIf(isNull(${name}))` : '0',
    hasRange ? `toString(min(${name}))` : 'NULL',
    hasRange ? `toString(max(${name}))` : 'NULL',
    isSampled(column) ? `if(${distinct} <= ${CATALOG_LIMITS.sampledDistinct}, ${topValues(values, suffix)}, [])` : '[]',
    isSampled(column) && !plan.whole ? `uniq${suffix}If(${values}, ${HALF})` : '0',
  ]
}

function isSampled(column: CatalogColumn): boolean {
  const { kind } = readColumnType(column.type)
  if (kind === 'enum' || kind === 'boolean') return true
  return /^(small_number|text|array|map)$/.test(kind) && !isSensitiveColumn(column)
}

function topValues(values: string, suffix: string): string {
  // One character more than the limit, so that `cutSample` can see whether a value is too long.
  const cut = (value: string) => `substringUTF8(toString(${value}), 1, ${CATALOG_LIMITS.sampleCharacters + 1})`
  const texts = suffix === '' ? cut(values) : `arrayMap(clew_value -> ${cut('clew_value')}, ${values})`
  return `topK${suffix}(${CATALOG_LIMITS.samplesShown})(${texts})`
}

/**
 * Reads the single result row of `statisticsQuery`.
 * @returns undefined if the result has another shape
 */
export function readStatistics(
  result: QueryResult,
  columns: readonly CatalogColumn[],
  plan: ScanPlan,
  ranges: ReadonlyMap<string, { readonly min: string; readonly max: string }>,
): { readonly columns: Record<string, ColumnStatistics>; readonly key?: KeyStatistics } | undefined {
  const [count, keys, ...rest] = result.rows[0] ?? []
  const rowsScanned = z.coerce.number().safeParse(count)
  const distinct = z.union([z.null(), z.coerce.number()]).safeParse(keys)
  if (!rowsScanned.success || !distinct.success) return undefined
  const statistics: Record<string, ColumnStatistics> = Object.create(null)
  for (const [index, column] of columns.entries()) {
    const parsed = cells.safeParse(rest.slice(index * CELLS, (index + 1) * CELLS))
    if (!parsed.success) return undefined
    statistics[column.name] = columnStatistics(column, parsed.data, rowsScanned.data, plan.whole, ranges.get(column.name))
  }
  const key = { rowsScanned: rowsScanned.data, exact: plan.whole }
  return { columns: statistics, ...(distinct.data !== null && { key: { distinct: distinct.data, ...key } }) }
}

function columnStatistics(
  column: CatalogColumn,
  [distinct, nulls, min, max, samples, half]: z.infer<typeof cells>,
  rowsScanned: number,
  exact: boolean,
  range: { readonly min: string; readonly max: string } | undefined,
): ColumnStatistics {
  const isSaturated = exact || half >= distinct * CATALOG_LIMITS.saturation
  const seen = isSaturated ? samples.filter(value => value !== null).map(cutSample) : []
  const { kind, enumValues } = readColumnType(column.type)
  // If no row has a value, the engine returns a default as minimum and maximum, such as 1970-01-01. Null replaces it.
  const isEmpty = rowsScanned === 0 || nulls === rowsScanned
  return {
    distinct,
    nullShare: rowsScanned === 0 ? 0 : nulls / rowsScanned,
    min: range?.min ?? (isEmpty ? null : cutText(min)),
    max: range?.max ?? (isEmpty ? null : cutText(max)),
    ...((range !== undefined || exact) && kind !== 'text' && { rangeExact: true }),
    samples: [...new Set([...seen, ...enumValues.map(cutSample)])].slice(0, CATALOG_LIMITS.sampledDistinct),
    rowsScanned,
    exact,
  }
}

function cutSample(value: string): string {
  return cutCharacters(value, CATALOG_LIMITS.sampleCharacters)
}

function cutText(value: string | null): string | null {
  return value === null ? null : value.slice(0, CATALOG_LIMITS.sampleCharacters)
}
