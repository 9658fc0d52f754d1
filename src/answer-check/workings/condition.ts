import type { Cell } from '../../warehouse/warehouse.ts'
import type { CheckedQuery } from '../checked-query.ts'
import { columnLetters } from './column-letters.ts'
import { WorkingFault } from './fault.ts'

/** A condition of a working: `loss_pct > 1`, `city = 'Oslo'`. */
export interface Condition {
  readonly column: string
  readonly operator: string
  readonly value: string | number | null
  /** The other column, if the condition compares two, and the sign in front of it. */
  readonly other?: string
  readonly sign: 1 | -1
}

/** A condition as it is written. A value that is a bare word may be the name of a column. */
export type WrittenCondition = Omit<Condition, 'other'> & { readonly isBare: boolean }

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

export function nameOf(query: CheckedQuery, column: string): string {
  return query.columns[positionOf(query, column)]?.name ?? column
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

/** Finds the columns of a condition. @throws WorkingFault if a word behind a minus is no column */
export function readCondition(query: CheckedQuery, { isBare, ...written }: WrittenCondition): Condition {
  const { value, sign } = written
  const condition = { ...written, column: nameOf(query, written.column) }
  if (!isBare || typeof value !== 'string') return condition
  // In `grade = A` the A is a text, and in `C > D` it is a column.
  const at = isLetters(value) && !isLetters(written.column) ? nameAt(query, value) : positionOf(query, value)
  const other = query.columns[at]?.name
  if (other === undefined && sign < 0) throw new WorkingFault(`${value} is no column of ${query.id}`)
  return other === undefined ? condition : { ...condition, other }
}

/** @param otherCell the cell of the other column, if the condition compares two */
export function meets(cell: Cell, { operator, value, other, sign }: Condition, otherCell: Cell): boolean {
  if (other === undefined && value === null) return operator === '=' ? cell === null : cell !== null
  const otherNumber = finiteNumber(otherCell)
  const ofOther = otherNumber === undefined ? (typeof otherCell === 'string' ? otherCell : null) : sign * otherNumber
  const wanted = other === undefined ? value : ofOther
  // A row with NULL or NaN meets no condition.
  if (cell === null || wanted === null) return false
  // The prompt shows lists and maps as JSON.
  if (typeof cell === 'object') {
    const isSame = JSON.stringify(cell) === wanted
    return operator === '=' ? isSame : /^(?:!=|<>)$/.test(operator) && !isSame
  }
  const [number, limit] = [finiteNumber(typeof cell === 'boolean' ? null : cell), finiteNumber(wanted)]
  const order = number !== undefined && limit !== undefined ? number - limit : compareTexts(String(cell), String(wanted))
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
