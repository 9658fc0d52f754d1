import { SIZES } from '../../base/sizes.ts'
import type { Cell, QueryResult } from '../../warehouse/warehouse.ts'

type Rows = QueryResult['rows']

/**
 * Matches a Decimal with two places, which is usually an amount of money. The server drops trailing zeros ("935.6" for 935.60),
 * so they are restored.
 */
const CENTS = /^(?:Nullable\()?Decimal\(\d+, 2\)/

/**
 * Cuts cells that are too long, and appends their full size. Writes amounts of money with both decimals. Yields after each row,
 * for `inSlices`.
 */
export function* boundedCells({ columns, rows }: Pick<QueryResult, 'columns' | 'rows'>): Generator<void, Rows> {
  const bounded: Rows[number][] = []
  const cents = new Set(columns.flatMap(({ type }, position) => (CENTS.test(type) ? [position] : [])))
  for (const row of rows) {
    const whole = cents.size === 0 ? row : row.map((cell, position) => (cents.has(position) ? withCents(cell) : cell))
    bounded.push(whole.some(isLong) ? whole.map(cell => (isLong(cell) ? cutCell(cell) : cell)) : whole)
    yield
  }
  return bounded
}

function withCents(cell: Cell): Cell {
  const [, whole, places = ''] = (typeof cell === 'string' && /^(-?\d+)(?:\.(\d\d?))?$/.exec(cell)) || []
  return whole === undefined ? cell : `${whole}.${places.padEnd(2, '0')}`
}

function isLong(cell: Cell): boolean {
  return roomAfter(cell, SIZES.cell) < 0
}

/** Returns how much of `room` (in characters) the cell leaves. Negative if the cell does not fit. */
function roomAfter(cell: Cell, room: number): number {
  if (typeof cell === 'string') return room - cell.length
  if (typeof cell !== 'object' || cell === null) return room
  let left = room
  if (Array.isArray(cell)) {
    for (const value of cell as readonly Cell[]) {
      left = roomAfter(value, left - 1)
      if (left < 0) break
    }
    return left
  }
  for (const [key, value] of Object.entries<Cell>(cell as Readonly<Record<string, Cell>>)) {
    left = roomAfter(value, left - key.length - 4)
    if (left < 0) break
  }
  return left
}

function cutCell(cell: Cell): string {
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell)
  const note = `… (cut: ${text.length} characters)`
  return `${text.slice(0, SIZES.cell - note.length).replace(/[\uD800-\uDBFF]$/, '')}${note}`
}
