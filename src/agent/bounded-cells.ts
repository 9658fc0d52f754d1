import type { Cell, QueryResult } from '../clickhouse/warehouse.ts'
import { SIZES } from '../sizes.ts'

type Rows = QueryResult['rows']

/** Rows whose cells are no longer than a cell may be: what is, ends with how much of it there is. Some rows at a time, for `inSlices`. */
export function* boundedCells(rows: Rows): Generator<void, Rows> {
  const bounded: Rows[number][] = []
  for (const row of rows) {
    bounded.push(row.some(isLong) ? row.map(cell => (isLong(cell) ? cutCell(cell) : cell)) : row)
    yield
  }
  return bounded
}

function isLong(cell: Cell): boolean {
  return roomAfter(cell, SIZES.cell) < 0
}

/** The room for characters that a cell leaves: less than nothing where it does not fit. The rest of such a cell is not looked at. */
function roomAfter(cell: Cell, room: number): number {
  if (typeof cell === 'string') return room - cell.length
  if (typeof cell !== 'object' || cell === null) return room
  let left = room
  for (const key in cell) {
    left = roomAfter((cell as Readonly<Record<string, Cell>>)[key] ?? null, left - (Array.isArray(cell) ? 1 : key.length + 4))
    if (left < 0) break
  }
  return left
}

function cutCell(cell: Cell): string {
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell)
  const note = `… (cut: ${text.length} characters)`
  return `${text.slice(0, SIZES.cell - note.length).replace(/[\uD800-\uDBFF]$/, '')}${note}`
}
