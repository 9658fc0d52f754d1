import type { Figure } from '../figures/figure.ts'
import type { WrittenDate } from '../figures/written-dates.ts'
import { timesShowing } from '../support.ts'
import type { ResultIndex } from './result-index.ts'
import { compareWithDate } from './time-column.ts'

export function keyRows(
  text: string,
  figure: Figure,
  value: number,
  results: readonly ResultIndex[],
  isListed: boolean,
): Map<string, number[]> {
  const around =
    `${text.slice(Math.max(0, figure.start - 24), figure.start)} ${text.slice(figure.end, figure.end + 16)}`.toLowerCase()
  const grouped = /[.,'’]/.test(figure.text)
  return rowsWhere(results, result =>
    result.numbers
      .filter(column => {
        if (!column.key || grouped) return false
        const saysSo = column.words.some(word =>
          new RegExp(`(?<!\\p{L})${word}s?\\s*$|(?<!\\p{L})${word}s?\\s`, 'u').test(around),
        )
        return figure.unit === undefined && (value >= 100 || saysSo || isListed) && figure.about === undefined
      })
      .flatMap(column => where(column.values, cell => cell === value)),
  )
}

/** Returns the rows at a time of day, if the result's only key is a time. */
export function seriesRows(result: ResultIndex, figure: Figure, zones: readonly string[]): number[] {
  const [time, other] = result.times
  if (time === undefined || other !== undefined || result.textColumns.length > 0 || new Set(time.values).size < result.rowCount)
    return []
  return timesShowing(figure, [result], new Map(), zones).map(match => match.row)
}

/** Returns the rows for a time of day such as "17:00", if the result has one row per hour. */
export function hourRows(result: ResultIndex, { date }: Figure): number[] {
  // "To 18:59" is the end of the hour of 18:00.
  if (date?.clock === undefined || (date.clock % 60 !== 0 && date.clock % 60 !== 59)) return []
  const hour = Math.floor(date.clock / 60)
  return result.numbers
    .filter(column => column.key && column.words.at(-1) === 'hour')
    .flatMap(column => where(column.values, value => value === hour))
}

export function timeRows(result: ResultIndex, date: WrittenDate): number[] {
  const { day, month } = date
  const numbered = result.numbers.filter(column => column.key && column.words.at(-1) === 'month' && day === undefined)
  const months = numbered.flatMap(column => where(column.values, value => value === month))
  if (months.length > 0) return months
  return result.times
    .filter(column => column.days && (day !== undefined || column.months))
    .flatMap(column => where(column.values, value => compareWithDate(value, date) === 0))
}

/** Returns the rows for a quarter such as "Q1 2024", if the result has one row per quarter. */
export function quarterRows({ times }: ResultIndex, quarter: number, { readings }: Figure): number[] {
  const isFirst = (value: number) => Number.isNaN(value) || new Date(value).getUTCMonth() % 3 === 0
  return times
    .filter(column => column.months && column.values.every(isFirst))
    .flatMap(({ values }) => {
      const start = Date.UTC(readings[0]?.value ?? 0, 3 * (quarter - 1), 1)
      return where(values, value => value === start)
    })
}

export function rowsWhere(results: readonly ResultIndex[], find: (result: ResultIndex) => number[]): Map<string, number[]> {
  return new Map(results.map(result => [result.id, find(result)] as const).filter(([, rows]) => rows.length > 0))
}

export function where(values: Float64Array, holds: (value: number) => boolean): number[] {
  const rows: number[] = []
  values.forEach((value, row) => {
    if (holds(value)) rows.push(row)
  })
  return rows
}
