import { DAY_MS } from '../../base/durations.ts'
import { isGiven } from '../given-figures.ts'
import { yearsOf } from '../known-figures.ts'
import { CHECK_LIMITS } from '../limits.ts'
import type { Grounds } from '../parse-text.ts'
import { compareWithDate } from '../rows/time-column.ts'
import { endsOf } from '../workings/worked-figure.ts'
import type { Figure } from './figure.ts'

const WEEKS_OF_YEAR = 52

/**
 * Whether a period may begin or end on a day. The question or the SQL must hold the day, or a count such as "last 30 days"
 * must lead to it. The first and last days of the rows, of months and of recent weeks are accepted too.
 */
export function canBound(bound: Figure, text: string, { given, results }: Pick<Grounds, 'given' | 'results'>): boolean {
  const { now, sql, asked } = given
  const { year, month, day } = bound.date ?? { year: Number(bound.text) }
  if (now === undefined || isGiven(bound, text, given)) return true
  const counts = [...sql, ...asked.map(({ value }) => value)]
  if (day === undefined || month === undefined) {
    const told = [now.day.year ?? year, ...counts, ...yearsOf(results)]
    return year === undefined || told.some(other => Math.abs((other ?? 0) - year) <= 1)
  }
  const { year: thisYear = 0, month: thisMonth = 1, day: thisDay = 1 } = now.day
  const today = Date.UTC(thisYear, thisMonth - 1, thisDay)
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS
  const back = new Set(counts.filter(count => count >= 1 && count <= CHECK_LIMITS.periodsBack))
  const days = [
    today,
    today - DAY_MS,
    ...[...back].flatMap(count => [today - count * DAY_MS, today - (count - 1) * DAY_MS]),
    // The text may tell a week of the past year by its Monday and Sunday, and the next week by its Monday.
    ...Array.from({ length: WEEKS_OF_YEAR }, (_, week) => monday - 7 * week * DAY_MS).flatMap(time => [time, time - DAY_MS]),
    monday + 7 * DAY_MS,
    // Other words do not say a day after today: "as of 22 November" on the 20th is an error.
    ...(/week|woche/iu.test(text) ? [monday + 6 * DAY_MS] : []),
    ...results.flatMap(({ times }) => times.flatMap(column => Object.values(endsOf(column)))),
  ]
  const years = year === undefined ? [thisYear - 1, thisYear] : [year]
  const isEndOfMonth = (time: number) => [time, time + DAY_MS].some(at => new Date(at).getUTCDate() === 1)
  return (
    years.some(each => isEndOfMonth(Date.UTC(each, month - 1, day))) ||
    days.some(time => compareWithDate(time, { ...(year && { year }), month, day }) === 0)
  )
}
