import type { NumberColumn } from './result-index.ts'

export function sumOf(column: NumberColumn, rows?: readonly number[]): number {
  return rows === undefined ? column.facts.sum : column.facts.sumOf(rows)
}

export function meanOf(column: NumberColumn, rows: readonly number[]): number {
  let known = rows.length
  if (column.facts.missing > 0) for (const row of rows) if (!Number.isFinite(column.values[row] ?? Number.NaN)) known--
  return known === 0 ? Number.NaN : sumOf(column, rows) / known
}

export function range(count: number): number[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => index)
}
