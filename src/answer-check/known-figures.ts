import { DAY_MS } from '../base/durations.ts'
import type { Figure } from './figures/figure.ts'
import { NUMBER_WORDS } from './figures/number-words.ts'
import type { WrittenDate } from './figures/written-dates.ts'
import { isGiven } from './given-figures.ts'
import type { Grounds } from './parse-text.ts'
import { isTimeSaidMissing } from './reported-missing.ts'
import { saysColumn } from './rows/column-words.ts'
import type { ResultIndex } from './rows/result-index.ts'
import { compareWithDate, type TimeColumn } from './rows/time-column.ts'

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
    return isTimeSaidMissing(figure, before, behind) || (END_BEFORE.test(before) && isEndOfRow(figure.date, results))
  // Behind a code stands its meaning: "1 = yes".
  if (isOfColumn(figure, behind, results) || /^\s?=\s?\p{L}/u.test(behind)) return true
  if (figure.unit?.dimension === 'time') return false
  if (isPartOfName(figure.text, before, known, question) || isConditionOfSql(figure.text, before, known)) return true
  const isYear = /^(?:19|20)\d\d$/.test(figure.text)
  return isYear && (known.includes(figure.text) || yearsOf(results).has(Number(figure.text)) || namesYear(figure.text, results))
}

/**
 * Whether the name of a column tells the figure: the "half" of `validators_for_half`, the "7 days" of `closed_within_7_days_pct`,
 * "half of them" for `median_s`, "95 %" for `p95_hours`, "2023/24" for `revenue_2324_eur`.
 */
function isOfColumn({ text, unit }: Figure, behind: string, results: readonly ResultIndex[]): boolean {
  const own = new Set(results.flatMap(({ numbers }) => numbers.flatMap(({ words }) => words)))
  const half = /^(?:half|hälfte|halb)$/i.test(text) ? ['median', 'p50', 'q50'] : []
  const percent = unit?.dimension === 'part' || PERCENTILE.test(behind) ? Number.parseFloat(text) : Number.NaN
  const season = /^(?:19|20)\d\d$/.test(text) ? [`${text.slice(2)}${String(Number(text) + 1).slice(2)}`] : []
  if ([...half, `p${percent}`, `q${percent}`, ...season].some(name => own.has(name))) return true
  const counts = new Set([...own].map(word => NUMBER_WORDS.get(word)))
  const words = text.toLowerCase().split(' ')
  return (unit?.dimension ?? 'time') === 'time' && words.every(word => own.has(word) || counts.has(Number(word)))
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

/**
 * Whether a time is the end of an hour or a week in the rows: "from 15:00 to 18:00" if the last hourly row is 17:00, "to 28
 * September" if the last weekly row begins on 22 September.
 */
function isEndOfRow(date: WrittenDate, results: readonly ResultIndex[]): boolean {
  const hour = date.day === undefined ? (date.clock ?? Number.NaN) / 60 - 1 : Number.NaN
  const isEndOfWeek = ({ values, days }: TimeColumn) => {
    const step = Math.abs((values[1] ?? Number.NaN) - (values[0] ?? Number.NaN))
    return days && step > DAY_MS && values.some(value => compareWithDate(value + step - DAY_MS, date) === 0)
  }
  return results.some(
    ({ numbers, times }) =>
      numbers.some(({ key, words, values }) => key && words.at(-1) === 'hour' && values.includes(hour)) ||
      (date.day !== undefined && times.some(isEndOfWeek)),
  )
}

const END_BEFORE = /(?<!\p{L})(?:to|until|till|through|up to|bis(?:\szum)?|and|und)\s$|[–-]$/iu

/** Whether a year is part of a name in the rows, such as `2025-Q2`. */
function namesYear(year: string, results: readonly ResultIndex[]): boolean {
  return results.some(({ entities }) => [...entities.keys()].slice(0, 200).some(key => key.startsWith(`${year}-`)))
}

/** Returns the years of the rows' days and times. */
export function yearsOf(results: readonly ResultIndex[]): Set<number> {
  return new Set(
    results.flatMap(result =>
      result.times.flatMap(column => [...column.values].slice(0, 1000).map(value => new Date(value).getUTCFullYear())),
    ),
  )
}
