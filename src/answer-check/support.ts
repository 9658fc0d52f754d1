import type { Figure } from './figures/figure.ts'
import { comparableColumns, conversions, exactlyFits, type Interval, shownBy } from './figures/fits.ts'
import { CHECK_LIMITS } from './limits.ts'
import type { NumberColumn, ResultIndex } from './rows/result-index.ts'

/** The rows in which a figure may stand, by query id. If a query has no entry, the figure may stand in any of its rows. */
export type Scope = ReadonlyMap<string, readonly number[]>

export interface Match {
  readonly query: string
  readonly column: string
  readonly row: number
  readonly value: number
}

/** Returns the cells in scope that show the figure. */
export function cellsShowing(figure: Figure, results: readonly ResultIndex[], scope: Scope, zones: readonly string[]): Match[] {
  if (figure.date !== undefined) return timesShowing(figure, results, scope, zones)
  const matches: Match[] = []
  const intervals = shownBy(figure)
  for (const result of results) {
    const rows = scope.get(result.id)
    if (rows?.length === 0) continue
    for (const column of comparableColumns(figure, result.numbers)) {
      for (const factor of conversions(figure, column)) {
        for (const row of rowsWithin(column, rows, rawIntervals(intervals, factor, figure))) {
          if (exactlyFits((column.texts[row] ?? '').replace(/^-/, ''), factor, figure))
            matches.push({ query: result.id, column: column.name, row, value: column.values[row] ?? Number.NaN })
        }
        if (matches.length > 0) break
      }
    }
  }
  return matches
}

/** Converts the figure's intervals to the column's unit, with the figure's sign. */
function rawIntervals(shown: readonly Interval[], factor: number, { sign }: Figure): Interval[] {
  return shown.map(({ low, high }) =>
    sign === -1 ? { low: -high / factor, high: -low / factor } : { low: low / factor, high: high / factor },
  )
}

function rowsWithin(column: NumberColumn, rows: readonly number[] | undefined, intervals: readonly Interval[]): number[] {
  const found: number[] = []
  const count = rows?.length ?? column.values.length
  for (let at = 0; at < count && found.length < CHECK_LIMITS.matches; at++) {
    const row = rows === undefined ? at : (rows[at] ?? 0)
    const value = column.values[row] ?? Number.NaN
    if (intervals.some(({ low, high }) => value >= low && value <= high)) found.push(row)
  }
  return found
}

export function timesShowing(figure: Figure, results: readonly ResultIndex[], scope: Scope, zones: readonly string[]): Match[] {
  const matches: Match[] = []
  for (const result of results) {
    for (const column of result.times) {
      const rows = new Set(zones.flatMap(zone => column.rowsShowing(figure.date ?? {}, zone, scope.get(result.id))))
      for (const row of rows)
        matches.push({ query: result.id, column: column.name, row, value: column.values[row] ?? Number.NaN })
    }
  }
  return matches
}
