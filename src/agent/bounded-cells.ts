import type { Cell, QueryResult } from '../clickhouse/warehouse.ts'
import { SIZES } from '../sizes.ts'

type Rows = QueryResult['rows']

/** Cuts cells that are too long and appends their full size. Yields after each row, for `inSlices`. */
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

/** The characters left after a cell; negative if it does not fit. Stops counting as soon as that is clear. */
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
