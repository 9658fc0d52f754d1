import { DAY_MS } from '../base/durations.ts'
import type { Figure } from './figures/figure.ts'
import { NUMBER_WORDS } from './figures/number-words.ts'
import type { WrittenDate } from './figures/written-dates.ts'
import { isGiven } from './given-figures.ts'
import type { Grounds } from './parse-text.ts'
import { isTimeSaidMissing } from './reported-missing.ts'
import { saysColumn } from './rows/column-words.ts'
import type { ResultIndex } from './rows/result-index.ts'
import { compareWithDate } from './rows/time-column.ts'

/** Matches the words behind the number of a percentile, such as ". Perzentil" in "Beim 90. Perzentil". */
const PERCENTILE = /^(?:\.|th|st|nd|rd|er)?[\s-]?(?:percentile|perzentil|quantil)/iu

/** A figure, and the text around it. */
export interface FigureInText {
  readonly figure: Figure
  readonly text: string
  readonly before: string
  readonly behind: string
}

/**
 * Whether the figure needs no support from cells. It may be a condition, a time without rows, or a number in the SQL or in a column's name.
 */
export function isKnown({ figure, text, before, behind }: FigureInText, { given, known, question, results }: Grounds): boolean {
  if (isGiven(figure, text, given)) return true
  if (figure.date !== undefined)
    return (
      isTimeSaidMissing(figure, before, behind) ||
      isEndOfHour(figure.date, before, results) ||
      isEndOfWeek(figure.date, before, results)
    )
  if ((figure.unit?.dimension ?? 'time') === 'time' && isOfColumn(figure.text, results)) return true
  // Behind a code stands its meaning: "1 = yes".
  if (/^\s?=\s?\p{L}/u.test(behind) || isQuantile(figure, behind, results)) return true
  const value = figure.readings[0]?.value ?? Number.NaN
  if (figure.unit?.dimension === 'time') return false
  if (isPartOfName(figure.text, before, known, question) || isConditionOfSql(figure.text, before, known)) return true
  return (
    /^(?:19|20)\d\d$/.test(figure.text) &&
    (known.includes(figure.text) || yearsOf(results).has(value) || namesYear(figure.text, results))
  )
}

/** Whether a number word or period is part of a column's name: the "half" of `validators_for_half`, the "7 days" of `closed_within_7_days_pct`. */
function isOfColumn(text: string, results: readonly ResultIndex[]): boolean {
  const words = text.toLowerCase().split(' ')
  return results.some(({ numbers }) =>
    numbers.some(column => words.every(word => column.words.some(own => own === word || NUMBER_WORDS.get(own) === Number(word)))),
  )
}

/** Whether a share is a quantile in the rows: "half of them" for `median_s`, "95 %" for `p95_hours`. */
function isQuantile({ text, unit, word }: Figure, behind: string, results: readonly ResultIndex[]): boolean {
  const names = word === 'ratio' && /^(?:half|hälfte|halb)$/i.test(text) ? ['median', 'p50', 'q50'] : []
  const percent = unit?.dimension === 'part' || PERCENTILE.test(behind) ? Number.parseFloat(text) : Number.NaN
  const wanted = new Set([...names, `p${percent}`, `q${percent}`])
  return results.some(({ numbers }) => numbers.some(({ words }) => words.some(said => wanted.has(said))))
}

/** Whether a number ends a name that the question or the SQL contains: `station = 'Peak 3100'`. */
function isPartOfName(number: string, before: string, known: string, question: string): boolean {
  const word = /(?<!\p{L})(\p{Lu}\p{L}{2,})\s$/u.exec(before)?.[1]
  if (word === undefined || !/^\d+$/.test(number)) return false
  return (
    known.includes(`'${word} ${number}'`.toLowerCase()) || new RegExp(`(?<!\\p{L})${word} ${number}(?!\\d)`, 'u').test(question)
  )
}

/** Whether a number is the value of a condition in the SQL: "(branch_id 5)" for `branch_id = 5`. */
function isConditionOfSql(number: string, before: string, known: string): boolean {
  if (!/^\d+$/.test(number)) return false
  // "Line 18" in the answer repeats the query's filter `line = '18'`, so 18 needs no proof.
  const said = /(?<!\p{L})(\p{L}{3,})\s$/u.exec(before)?.[1]
  const isPicked = (match: RegExpExecArray) => match[2] === number && saysColumn(said ?? '', match[1] ?? '')
  if (said !== undefined && [...known.matchAll(/\b(\w+)\s*=\s*'(\d+)'/g)].some(isPicked)) return true
  const column = /(?<!\w)([a-z]+(?:_[a-z]+)+)(?:\s=)?\s$/.exec(before)?.[1]
  return column !== undefined && new RegExp(`(?<!\\w)${column}\\s*=\\s*'?${Number(number)}(?![\\d.])`).test(known)
}

/** Whether a time is the end of an hour in the rows: "From 15:00 to 18:00" if the last hourly row is 17:00. */
function isEndOfHour({ clock, day }: WrittenDate, before: string, results: readonly ResultIndex[]): boolean {
  if (clock === undefined || day !== undefined || clock % 60 !== 0 || !END_BEFORE.test(before)) return false
  return results.some(({ numbers }) =>
    numbers.some(({ key, words, values }) => key && words.at(-1) === 'hour' && values.includes(clock / 60 - 1)),
  )
}

/** Whether a day is the last of a week in the rows: "from 7 July to 28 September" if the last weekly row begins on 22 September. */
function isEndOfWeek(date: WrittenDate, before: string, results: readonly ResultIndex[]): boolean {
  if (date.day === undefined || !END_BEFORE.test(before)) return false
  return results.some(({ times }) =>
    times.some(({ values, days }) => {
      const step = Math.abs((values[1] ?? Number.NaN) - (values[0] ?? Number.NaN))
      return days && step > DAY_MS && values.some(value => compareWithDate(value + step - DAY_MS, date) === 0)
    }),
  )
}

const END_BEFORE = /(?<!\p{L})(?:to|until|till|through|up to|bis(?:\szum)?|and|und)\s$|[–-]$/iu

/** Whether a year is part of a name in the rows, such as `2025-Q2`, or of a column's name. */
function namesYear(year: string, results: readonly ResultIndex[]): boolean {
  // The column `revenue_2324_eur` stands for "2023/24".
  const season = `${year.slice(2)}${String(Number(year) + 1).slice(2)}`
  return results.some(
    result =>
      [...result.entities.keys()].slice(0, 200).some(key => key.startsWith(`${year}-`)) ||
      result.numbers.some(({ words }) => words.includes(season)),
  )
}

/** Returns the years of the rows' days and times. */
export function yearsOf(results: readonly ResultIndex[]): Set<number> {
  return new Set(
    results.flatMap(result =>
      result.times.flatMap(column => [...column.values].slice(0, 1000).map(value => new Date(value).getUTCFullYear())),
    ),
  )
}
