import type { NumberColumn } from './result-index.ts'

export function sumOf(column: NumberColumn, rows?: readonly number[]): number {
  let sum = 0
  if (rows === undefined) for (const value of column.values) sum += Number.isFinite(value) ? value : 0
  else for (const row of rows) sum += Number.isFinite(column.values[row] ?? Number.NaN) ? (column.values[row] ?? 0) : 0
  return sum
}

export function meanOf(column: NumberColumn, rows: readonly number[]): number {
  const known = rows.filter(row => Number.isFinite(column.values[row] ?? Number.NaN))
  return known.length === 0 ? Number.NaN : sumOf(column, known) / known.length
}

export function range(count: number): number[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => index)
}
