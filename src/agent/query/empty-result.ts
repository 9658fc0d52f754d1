import { readColumnType } from '../../warehouse/sql/column-type.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import type { QueryReport } from '../run/result.ts'

/**
 * The values that the engine's aggregates return for no rows: zeros, NaN, the first day of the engine's calendar, and an address
 * of zeros.
 */
const ZERO_NUMBER = /^-?0*(?:\.0+)?(?:e[+-]?\d+)?$|^-?nan$/i
const ZERO_TIME = /^(?:19(?:69-12-31|70-01-01)|1900-01-01)/
/** Matches a text literal as the engine prints it. */
const TEXT = /'(?:[^'\\]|\\.|'')*(?:'|$)/gs
const ZERO_IDENTIFIER = /^(?:[0-]+|0\.0\.0\.0|::)$/

/**
 * Whether a result only says that nothing was found: it has no rows, or one row of 0, NULL, NaN, empty texts, empty lists or
 * 1970-01-01. Aggregates over no rows return these values, and so do outer joins without a match.
 */
export function isEmptyResult({ columns, rows, error }: Pick<QueryReport, 'columns' | 'rows' | 'error'>): boolean {
  if (error !== null || rows.length > 1) return false
  const [row] = rows
  return row === undefined || row.every((cell, index) => isNothing(cell, columns[index]?.type ?? ''))
}

/**
 * Whether a result may be partly empty, because its query filters on a text that no row has. It may be, if a column of figures or
 * times has no value at all, or if the rows contain only some of the filter's texts.
 */
export function isPartlyEmpty({ sql, columns, rows, error }: Pick<QueryReport, 'sql' | 'columns' | 'rows' | 'error'>): boolean {
  const texts = new Set((sql?.match(TEXT) ?? []).map(text => text.slice(1, -1)).filter(text => text.trim() !== ''))
  if (error !== null || rows.length === 0 || texts.size === 0) return false
  const isBlank = columns.some(({ type }, index) => isMeasure(type) && rows.every(row => isNothing(row[index] ?? null, type)))
  if (isBlank || texts.size === 1) return isBlank
  const found = textsInRows(texts, rows)
  return found.size > 0 && found.size < texts.size
}

/**
 * Returns those of the texts that equal a cell. Lengths are compared first, to save time, because there may be a million cells.
 */
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
