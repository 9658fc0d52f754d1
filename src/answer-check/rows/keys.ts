import type { Figure, TextRange } from '../figures/figure.ts'
import { WEEKDAYS } from '../figures/number-words.ts'
import { PERIOD_BETWEEN, PERIOD_JOINT } from '../figures/wording.ts'
import type { WrittenDate } from '../figures/written-dates.ts'
import type { Mention } from '../mentions.ts'
import { timesShowing } from '../support.ts'
import { textBefore } from '../text-before.ts'
import type { ResultIndex } from './result-index.ts'
import { compareWithDate } from './time-column.ts'

/** Matches the words before a date that bounds a period, such as "since" in "since July". A date that bounds a period names no row. */
const RANGE_END =
  /(?:since|seit|until|till|bis|through|up to|before|after|vor|from|between|vom|zwischen|(?<!\p{L})ab|von\s(?:\p{L}+\s)?\d{1,2}\.?(?:\s\p{L}+)?\s(?:to|and|bis|bis zum|und|–|-)|(?:from|between|vom|zwischen)\s(?:\p{L}+\s)?\d{1,2}\.?(?:\s\p{L}+)?\s(?:to|and|bis|bis zum|und|–|-))\s$/iu

/** Finds the days, months, weekdays, epochs, codes and relative times that name rows. Their digits are part of a name and are not checked. */
export function findKeys(
  text: string,
  figures: readonly Figure[],
  results: readonly ResultIndex[],
  zones: readonly string[],
): Mention[] {
  const mentions: Mention[] = []
  const dated = figures.filter(figure => figure.date !== undefined)
  const periods = new Set(
    dated.flatMap((figure, at) => {
      const next = dated[at + 1]
      return next && PERIOD_BETWEEN.test(text.slice(figure.end, next.start)) ? [figure.start, next.start] : []
    }),
  )
  /** Adds the rows that a span names, or bounds. Returns whether there are any. */
  const add = ({ start, end }: TextRange, axis: string, find: (result: ResultIndex) => number[]) => {
    const found = results.map(result => [result.id, find(result)] as const).filter(([, own]) => own.length > 0)
    const last = mentions.at(-1)
    // In "From Monday to Thursday" neither day names a row.
    const isJoined = last?.axis === 'range' && PERIOD_JOINT.test(text.slice(last.end, start))
    const isBound = isJoined || periods.has(start) || RANGE_END.test(textBefore(text, start))
    const key = text.slice(start, end).toLowerCase()
    const rows = new Map(found)
    if (found.length > 0)
      mentions.push({ start, end, key, ...(isBound ? { axis: 'range', rows: new Map(), bounds: rows } : { axis, rows }) })
    return found.length > 0 && !isBound
  }
  let isListed = false
  for (const figure of figures) {
    const { date, sign, ordinal, unit, word } = figure
    if (date?.clock !== undefined)
      add(figure, 'time', result => [...seriesRows(result, figure, zones), ...hourRows(result, date)])
    else if (date?.month !== undefined) add(figure, 'time', result => timeRows(result, date))
    const quarter = /(?<![\p{L}\p{N}])Q([1-4])[\s/-]$/u.exec(textBefore(text, figure.start))?.[1]
    if (quarter !== undefined) add(figure, 'time', result => quarterRows(result, Number(quarter), figure))
    const value = (sign === -1 ? -1 : 1) * (figure.readings[0]?.value ?? Number.NaN)
    if (ordinal) add(figure, 'time', result => timeRows(result, { day: value }))
    if (word !== undefined || unit !== undefined || !Number.isInteger(value) || sign === 1) continue
    const around = `${text.slice(Math.max(0, figure.start - 24), figure.start)} ${text.slice(figure.end, figure.end + 16)}`
    const isSaid = (words: readonly string[]) => words.some(own => new RegExp(`(?<!\\p{L})${own}s?(?:\\s|$)`, 'iu').test(around))
    const isKey = (words: readonly string[]) => value >= 100 || isListed || isSaid(words)
    isListed = add(figure, 'key', result => keyRows(result, isKey, cell => cell === value))
  }
  for (const match of text.matchAll(/(?<!\p{L})(\p{L}+?)s?(?!\p{L})/gu)) {
    const weekday = WEEKDAYS.get((match[1] ?? '').toLowerCase())
    const span = { start: match.index, end: match.index + match[0].length }
    // The numbers run from Monday 1 to Sunday 7, as in `toDayOfWeek`, or from Sunday 0 to Saturday 6.
    const isWeekday = (words: readonly string[]) => /^(?:weekday|dow|day_of_week)$/.test(words.join('_'))
    if (weekday !== undefined) add(span, 'time', result => keyRows(result, isWeekday, value => value % 7 === weekday))
  }
  return mentions
}

/** Returns the rows of a value in the columns of keys that have such words in their names. */
function keyRows(
  { numbers }: ResultIndex,
  isOf: (words: readonly string[]) => boolean,
  holds: (value: number) => boolean,
): number[] {
  return numbers.filter(({ key, words }) => key && isOf(words)).flatMap(({ values }) => where(values, holds))
}

/** Returns the rows at a time of day, if the result's only key is a time. */
function seriesRows(result: ResultIndex, figure: Figure, zones: readonly string[]): number[] {
  const isSeries = result.times.length === 1 && result.textColumns.length === 0
  return isSeries ? timesShowing(figure, [result], new Map(), zones).map(match => match.row) : []
}

/** Returns the rows for a time of day such as "17:00", if the result has one row per hour. */
function hourRows(result: ResultIndex, { clock = Number.NaN }: WrittenDate): number[] {
  // "To 18:59" is the end of the hour of 18:00.
  if (clock % 60 !== 0 && clock % 60 !== 59) return []
  return keyRows(
    result,
    words => words.at(-1) === 'hour',
    value => value === Math.floor(clock / 60),
  )
}

function timeRows(result: ResultIndex, date: WrittenDate): number[] {
  const { day, month } = date
  const isMonth = (words: readonly string[]) => words.at(-1) === 'month' && day === undefined
  const months = keyRows(result, isMonth, value => value === month)
  if (months.length > 0) return months
  return result.times
    .filter(column => column.days && (day !== undefined || column.months))
    .flatMap(column => where(column.values, value => compareWithDate(value, date) === 0))
}

/** Returns the rows for a quarter such as "Q1 2024", if the result has one row per quarter. */
function quarterRows({ times }: ResultIndex, quarter: number, { readings }: Figure): number[] {
  const start = Date.UTC(readings[0]?.value ?? 0, 3 * (quarter - 1), 1)
  const isFirst = (value: number) => Number.isNaN(value) || new Date(value).getUTCMonth() % 3 === 0
  return times
    .filter(({ months, values }) => months && values.every(isFirst))
    .flatMap(({ values }) => where(values, value => value === start))
}

function where(values: Float64Array, holds: (value: number) => boolean): number[] {
  return [...values.keys()].filter(row => holds(values[row] ?? Number.NaN))
}
