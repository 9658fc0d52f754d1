import { readColumnType } from '../clickhouse/catalog/column-type.ts'
import type { Cell } from '../clickhouse/warehouse.ts'
import type { QueryReport } from './run-result.ts'

/** What an aggregate of the engine returns over no rows: also the start of its calendars, and an address of zeros. */
const ZERO_NUMBER = /^-?0*(?:\.0+)?(?:e[+-]?\d+)?$|^-?nan$/i
const ZERO_TIME = /^(?:19(?:69-12-31|70-01-01)|1900-01-01)/
/** As the engine prints a text in a query. */
const TEXT = /'(?:[^'\\]|\\.|'')*(?:'|$)/gs
const ZERO_IDENTIFIER = /^(?:[0-]+|0\.0\.0\.0|::)$/

/**
 * Whether a result says nothing but "none": no rows, or one row of nothing but 0, NULL and NaN. An aggregate over no rows, and the missing side of
 * an outer join, give the defaults of other types too: an empty text or list, 1970-01-01.
 */
export function isEmptyResult({ columns, rows, error }: Pick<QueryReport, 'columns' | 'rows' | 'error'>): boolean {
  if (error !== null || rows.length > 1) return false
  const [row] = rows
  return row === undefined || row.every((cell, index) => isNothing(cell, columns[index]?.type ?? ''))
}

/**
 * Whether a part of a result may be empty because its query looks for a text that is nowhere: the query has texts in it, and either a column of figures or
 * times has nothing in any row, or some of the texts stand in the rows and others do not, as those of `IN ('a', 'b')` where there is no b.
 */
export function isPartlyEmpty({ sql, columns, rows, error }: Pick<QueryReport, 'sql' | 'columns' | 'rows' | 'error'>): boolean {
  const texts = new Set((sql?.match(TEXT) ?? []).map(text => text.slice(1, -1)).filter(text => text.trim() !== ''))
  if (error !== null || rows.length === 0 || texts.size === 0) return false
  const isBlank = columns.some(({ type }, index) => isMeasure(type) && rows.every(row => isNothing(row[index] ?? null, type)))
  if (isBlank || texts.size === 1) return isBlank
  const found = textsInRows(texts, rows)
  return found.size > 0 && found.size < texts.size
}

/** Those of the texts that are the value of a cell. Of a million cells few are as long as one of them, and only these are compared. */
function textsInRows(texts: ReadonlySet<string>, rows: QueryReport['rows']): ReadonlySet<string> {
  const lengths = new Set([...texts].map(text => text.length))
  const found = new Set<string>()
  for (const row of rows) {
    for (const cell of row) if (typeof cell === 'string' && lengths.has(cell.length) && texts.has(cell)) found.add(cell)
  }
  return found
}

function isMeasure(type: string): boolean {
  return ['number', 'small_number', 'time'].includes(readColumnType(type).kind)
}

function isNothing(cell: Cell, type: string): boolean {
  if (cell === null || cell === false || cell === 0 || cell === '') return true
  if (typeof cell === 'string') return isZeroText(cell, type)
  if (typeof cell !== 'object') return false
  return (Array.isArray(cell) ? cell : Object.values(cell)).every((inner: Cell) => isNothing(inner, 'Int64'))
}

function isZeroText(text: string, type: string): boolean {
  switch (readColumnType(type).kind) {
    case 'number':
    case 'small_number':
      return text !== '.' && /\d|nan/i.test(text) && ZERO_NUMBER.test(text)
    case 'time':
      return ZERO_TIME.test(text)
    case 'identifier':
      return ZERO_IDENTIFIER.test(text)
    default:
      return false
  }
}
