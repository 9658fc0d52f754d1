import { DAY_MS } from '../../base/durations.ts'
import type { GivenFigures, sideOf } from '../given-figures.ts'
import { yearsOf } from '../known-figures.ts'
import { CHECK_LIMITS } from '../limits.ts'
import type { Grounds } from '../parse-text.ts'
import { endsOf } from '../workings/worked-figure.ts'
import type { WrittenDate } from './written-dates.ts'

const WEEKS_OF_YEAR = 52

type Side = ReturnType<typeof sideOf>

/**
 * Whether a period may begin or end on a day. The question or the SQL must hold the day, or a count such as "last 30 days"
 * must lead to it. The first and last days of the rows, of months and of recent weeks are accepted too.
 */
export function canBound(
  day: WrittenDate,
  side: Side,
  text: string,
  { given, results }: Pick<Grounds, 'given' | 'results'>,
): boolean {
  if (given.now === undefined) return true
  if (day.day === undefined || day.month === undefined) return day.year === undefined || canBeYear(day.year, given, results)
  const isIt = (time: number) => isDay(time, day)
  const years = day.year === undefined ? [(given.now.day.year ?? 0) - 1, given.now.day.year ?? 0] : [day.year]
  return (
    years.some(year => isEndOfMonth(Date.UTC(year, (day.month ?? 1) - 1, day.day))) ||
    daysGiven(given, side, /week|woche/iu.test(text)).some(isIt) ||
    results.some(({ times }) => times.some(column => Object.values(endsOf(column)).some(isIt)))
  )
}

/** Whether the year is plausible: at most one year away from a year in the sources, or the year of the question. */
function canBeYear(year: number, { now, sql, asked }: GivenFigures, results: Grounds['results']): boolean {
  const told = [now?.day.year ?? year, ...sql, ...asked.map(({ value }) => value), ...yearsOf(results)]
  return told.some(other => Math.abs(other - year) <= 1)
}

function isEndOfMonth(time: number): boolean {
  return new Date(time).getUTCDate() === 1 || new Date(time + DAY_MS).getUTCDate() === 1
}

function daysGiven({ now, dates, sql, asked }: GivenFigures, side: Side, isOfWeek: boolean): number[] {
  const today = timeOf(now?.day ?? {})
  const known = dates.filter(date => date.day !== undefined && date.month !== undefined && date.year !== undefined).map(timeOf)
  const back = [...new Set([...sql, ...asked.map(({ value }) => value)])].filter(
    count => count >= 1 && count <= CHECK_LIMITS.periodsBack,
  )
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS
  return [
    today,
    today - DAY_MS,
    ...back.flatMap(count => [today - count * DAY_MS, today - (count - 1) * DAY_MS]),
    // The text may tell a week of the past year by its Monday and Sunday, and the next week by its Monday.
    ...Array.from({ length: WEEKS_OF_YEAR }, (_, week) => monday - 7 * week * DAY_MS).flatMap(time => [time, time - DAY_MS]),
    monday + 7 * DAY_MS,
    // Other words do not say a day after today: "as of 22 November" on the 20th is an error.
    ...(isOfWeek ? [monday + 6 * DAY_MS] : []),
    // With `day < '2026-10-26'` the period ends a day earlier. With `day > '2026-10-18'` it begins a day later.
    ...known.flatMap(time => [
      time,
      ...(side === 'begin' ? [] : [time - DAY_MS]),
      // A period with rows cannot end tomorrow.
      ...(side === 'end' || time === today ? [] : [time + DAY_MS]),
    ]),
  ]
}

function timeOf({ year = 0, month = 1, day = 1 }: WrittenDate): number {
  return Date.UTC(year, month - 1, day)
}

function isDay(time: number, { year, month, day }: WrittenDate): boolean {
  const date = new Date(time)
  return date.getUTCDate() === day && date.getUTCMonth() + 1 === month && (year === undefined || date.getUTCFullYear() === year)
}
