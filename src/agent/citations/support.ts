import { columnsNamed } from './column-words.ts'
import type { Figure } from './figures.ts'
import { comparableColumns, conversions, exactlyFits, fits } from './fits.ts'
import type { NumberColumn, ResultIndex, TimeColumn } from './result-index.ts'

/** Rows by query id; a query that is absent is not restricted. */
export type Scope = ReadonlyMap<string, readonly number[]>

/** A cell that a figure shows. */
export interface Match {
  readonly query: string
  readonly column: string
  readonly row: number
  readonly value: number
}

const MINUTE = 60_000
const DAY = 86_400_000

/** The cells in scope that show the figure. `words` are those beside it, which may tell the column. */
export function cellsShowing(
  figure: Figure,
  results: readonly ResultIndex[],
  scope: Scope,
  words: readonly string[],
  zones: readonly string[],
  changesOnly = false,
): Match[] {
  if (figure.date !== undefined) return timesShowing(figure, results, scope, zones)
  const matches: Match[] = []
  for (const result of results) {
    const rows = scope.get(result.id)
    for (const column of columnsNamed(comparableColumns(figure, result.numbers), words, true)) {
      if (changesOnly && !isChange(column) && !column.values.some(value => value < 0)) continue
      for (const factor of conversions(figure, column)) {
        eachRow(rows, result.rowCount, row => {
          const value = column.values[row] ?? Number.NaN
          if (!cellFits(value * factor, column, row, factor, figure)) return
          matches.push({ query: result.id, column: column.name, row, value })
        })
        if (matches.length > 0) break
      }
    }
  }
  return matches
}

function cellFits(value: number, column: NumberColumn, row: number, factor: number, figure: Figure): boolean {
  const signed = figure.sign === -1 || value >= 0 ? value * (figure.sign === -1 ? -1 : 1) : isChange(column) ? -value : value
  return fits(signed, figure) && exactlyFits((column.texts[row] ?? '').replace(/^-/, ''), factor, figure)
}

/** A column of changes: "fell by 5" shows its -5. */
function isChange(column: NumberColumn): boolean {
  return column.words.some(word => /^(?:change|delta|diff|difference|growth|net|loss|gain|gained|balance)$/.test(word))
}

export function timesShowing(figure: Figure, results: readonly ResultIndex[], scope: Scope, zones: readonly string[]): Match[] {
  const matches: Match[] = []
  for (const result of results) {
    for (const column of result.times) {
      eachRow(scope.get(result.id), result.rowCount, row => {
        const value = column.values[row] ?? Number.NaN
        if (!Number.isNaN(value) && zones.some(zone => showsTime(inZone(value, column, zone), figure, column)))
          matches.push({ query: result.id, column: column.name, row, value })
      })
    }
  }
  return matches
}

function showsTime(value: number, figure: Figure, column: TimeColumn): boolean {
  const shown = figure.date ?? {}
  const date = new Date(value)
  if (shown.year !== undefined && shown.year !== date.getUTCFullYear()) return false
  if (shown.month !== undefined && shown.month !== date.getUTCMonth() + 1) return false
  if (shown.day !== undefined && shown.day !== date.getUTCDate()) return false
  if (shown.clock === undefined) return true
  if (column.days) return false
  if (shown.seconds !== undefined) return Math.floor((value % DAY) / 1000) === shown.clock * 60 + shown.seconds
  const minutes = (((value % DAY) + DAY) % DAY) / MINUTE
  return Math.floor(minutes) === shown.clock || Math.round(minutes) === shown.clock
}

/** The time as a clock in the zone shows it; '' leaves it as the cell has it. */
function inZone(value: number, column: TimeColumn, zone: string): number {
  if (zone === '' || column.days) return value
  try {
    return value - offset(value, column.zone) + offset(value, zone)
  } catch {
    return value
  }
}

function offset(value: number, zone: string): number {
  if (/^(?:UTC|GMT|Etc\/UTC|)$/.test(zone)) return 0
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(value)
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(parts.find(part => part.type === 'timeZoneName')?.value ?? '')
  if (!match) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * MINUTE
}

export function eachRow(rows: readonly number[] | undefined, count: number, visit: (row: number) => void): void {
  if (rows !== undefined) for (const row of rows) visit(row)
  else for (let row = 0; row < count; row++) visit(row)
}

interface Nearest {
  readonly value: string
  readonly column: string
  readonly row: number
  readonly query: string
  /** The figure shows just this cell, so what is wrong is what it is said to be. */
  readonly fits: boolean
}

/** The cell in scope that is nearest to what the figure shows, for the message that asks for a rewrite. */
export function nearest(figure: Figure, results: readonly ResultIndex[], scope: Scope): Nearest | undefined {
  const shown = figure.readings[0]?.value
  if (shown === undefined) return undefined
  let best: Nearest | undefined
  let distance = Number.POSITIVE_INFINITY
  for (const result of results) {
    for (const column of result.numbers) {
      for (const factor of conversions(figure, column)) {
        eachRow(scope.get(result.id), result.rowCount, row => {
          const away = Math.abs((column.values[row] ?? Number.NaN) * factor - shown)
          if (!(away < distance)) return
          distance = away
          const value = (column.values[row] ?? Number.NaN) * factor
          best = { value: column.texts[row] ?? '', column: column.name, row, query: result.id, fits: fits(value, figure) }
        })
      }
    }
  }
  return best
}
