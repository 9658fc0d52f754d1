import type { Cell } from '../../warehouse/warehouse.ts'
import type { CheckedQuery } from '../checked-query.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { normalName } from '../rows/name-index.ts'
import { type Condition, meets, positionOf } from './condition.ts'
import { WorkingFault } from './fault.ts'

/** Selects rows by their numbers, which begin with 1, by a text in the row, or by a condition. */
export type RowPick = { readonly from: number; readonly to: number } | { readonly text: string } | Condition

/**
 * Returns the rows that a working selects: the rows with these numbers, or the rows that hold all the texts and meet all the conditions. A number
 * beside a text or condition means a cell's value. If nothing selects a row, the result must have exactly one row.
 */
export function* rowsPicked(query: CheckedQuery, picks: readonly RowPick[]): Generator<void, number[]> {
  if (picks.length === 0) {
    if (query.rows.length !== 1) throw new WorkingFault(`${query.id} has ${query.rows.length} rows, and the working names none`)
    return [0]
  }
  if (picks.every(pick => 'from' in pick)) return picks.flatMap(pick => rowsAt(query, pick))
  const isMet = picks.map(pick => meeting(query, pick))
  const found: number[] = []
  for (const [at, row] of query.rows.entries()) {
    if (isMet.every(meetsPick => meetsPick(row))) found.push(at)
    if (at % CHECK_LIMITS.perStep === 0) yield
  }
  return found
}

function meeting(query: CheckedQuery, pick: RowPick): (row: readonly Cell[]) => boolean {
  if ('operator' in pick) {
    const [own, other = -1] = [pick.column, pick.other].map(column => (column === undefined ? -1 : positionOf(query, column)))
    return row => meets(row[own ?? -1] ?? null, pick, row[other] ?? null)
  }
  const wanted = 'text' in pick ? normalName(pick.text) : String(pick.from)
  const name = nameColumn(query)
  return row =>
    // In the rows, a missing name is NULL or ''.
    (wanted === '' && row[name] === null) ||
    row.some(cell => cell !== null && typeof cell !== 'object' && normalName(String(cell)) === wanted)
}

/** Returns the position of the first text column, which holds the rows' names. -1 if there is none. */
function nameColumn({ columns }: CheckedQuery): number {
  return columns.findIndex(({ type }) => /^(?:LowCardinality\()?(?:Nullable\()?(?:String|FixedString|Enum)/.test(type))
}

export function* rowsMeeting(query: CheckedQuery, conditions: readonly Condition[]): Generator<void, number[]> {
  return conditions.length === 0 ? query.rows.map((_, at) => at) : yield* rowsPicked(query, conditions)
}

/** Returns the rows of a range of row numbers, which begin with 1. @throws WorkingFault if a row does not exist */
function rowsAt(query: CheckedQuery, { from, to }: { readonly from: number; readonly to: number }): number[] {
  if (!(from >= 1 && from <= to && to <= query.rows.length))
    throw new WorkingFault(`${query.id} has ${query.rows.length} rows, none with the number ${from >= 1 ? to : from}`)
  return Array.from({ length: to - from + 1 }, (_, at) => from - 1 + at)
}
