import type { Cell } from '../../warehouse/warehouse.ts'
import type { CheckedQuery } from '../checked-query.ts'
import { columnLetters } from './column-letters.ts'
import { WorkingFault } from './fault.ts'

/** A condition of a working: `loss_pct > 1`, `city = 'Oslo'`. */
export interface Condition {
  readonly column: string
  readonly operator: string
  readonly value: string | number | null
  /** The value is a bare word, so it may be the name of a column. `sign` is the sign in front of the word. */
  readonly mayBeColumn: boolean
  readonly sign: 1 | -1
}

/**
 * Returns the position of a column, by its name or by its letter in the prompt: C is the third. -1 if there is none. A letter
 * never beats a column of exactly that name.
 */
export function positionOf(query: CheckedQuery, column: string): number {
  const exact = query.columns.findIndex(({ name }) => name === column)
  if (exact >= 0) return exact
  const lettered = isLetters(column) ? query.columns.findIndex((_, at) => columnLetters(at) === column) : -1
  return lettered >= 0 ? lettered : nameAt(query, column)
}

function nameAt({ columns }: CheckedQuery, column: string): number {
  return columns.findIndex(({ name }) => name.toLowerCase() === column.toLowerCase())
}

function isLetters(column: string): boolean {
  return /^[A-Z]{1,2}$/.test(column)
}

/** Returns a cell's number. Undefined for NULL, NaN and texts, which aggregates skip. */
export function finiteNumber(cell: Cell): number | undefined {
  const value = typeof cell === 'number' ? cell : typeof cell === 'string' && cell.trim() !== '' ? Number(cell) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/** Returns a day or a moment in seconds since 1970. Undefined for other cells. */
export function secondsOf(cell: Cell): number | undefined {
  if (typeof cell !== 'string' || !/^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?Z?$/.test(cell)) return undefined
  const value = Date.parse(`${cell.replace(' ', 'T').replace(/Z$/, '')}${cell.includes(':') ? 'Z' : ''}`)
  return Number.isNaN(value) ? undefined : value / 1000
}

/** Returns a cell's number. For a day or a time, returns its timestamp in seconds, so that two times can be subtracted. */
export function numberOrSeconds(cell: Cell): number | undefined {
  return finiteNumber(cell) ?? secondsOf(cell)
}

/** Returns the position of the other column, if a condition compares two columns. Undefined if the condition compares a column with a value. */
export function otherColumn(query: CheckedQuery, { column, value, mayBeColumn, sign }: Condition): number | undefined {
  if (!mayBeColumn || typeof value !== 'string') return undefined
  // In `grade = A` the A is a text, and in `C > D` it is a column.
  const at = isLetters(value) && !isLetters(column) ? nameAt(query, value) : positionOf(query, value)
  if (at < 0 && sign < 0) throw new WorkingFault(`${value} is no column of ${query.id}`)
  return at < 0 ? undefined : at
}

/**
 * Returns the number or text that a row must equal, if the condition compares two columns: the cell of the second column, with the condition's sign.
 */
export function wantedCell(cell: Cell, { sign }: Condition): string | number {
  const number = finiteNumber(cell)
  if (number !== undefined) return sign * number
  return typeof cell === 'string' ? cell : Number.NaN
}

export function meets(cell: Cell, { operator, value }: Condition, wantedValue: string | number | null): boolean {
  if (value === null) return operator === '=' ? cell === null : cell !== null
  if (cell === null || wantedValue === null) return false
  // The prompt shows lists and maps as JSON.
  if (typeof cell === 'object') {
    const isSame = JSON.stringify(cell) === wantedValue
    return operator === '=' ? isSame : /^(?:!=|<>)$/.test(operator) && !isSame
  }
  const number = finiteNumber(typeof cell === 'boolean' ? null : cell)
  const wanted = typeof wantedValue === 'number' ? wantedValue : finiteNumber(wantedValue)
  // A row with NULL or NaN meets no condition.
  if (typeof wantedValue === 'number' && Number.isNaN(wantedValue)) return false
  const order = number !== undefined && wanted !== undefined ? number - wanted : compareTexts(String(cell), String(wantedValue))
  return (ORDERS[operator] ?? ORDERS['!='])?.(order) === true
}

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': order => order === 0,
  '!=': order => order !== 0,
  '<': order => order < 0,
  '>': order => order > 0,
  '<=': order => order <= 0,
  '>=': order => order >= 0,
}

/** Compares by code units, as ClickHouse does. This order is also right for dates and times. */
function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
