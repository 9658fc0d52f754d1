import { CALENDAR_UNITS, unitStart, unitsAfter } from '../base/calendar-unit.ts'
import { HOUR_MS } from '../base/durations.ts'
import { DOMAIN_LIMITS } from './limits.ts'

/** A period. `from` is its first second, `to` is the first second after it. */
export interface Period {
  readonly from: PeriodEdge
  readonly to: PeriodEdge
  /** An IANA name. */
  readonly timeZone: string
}

/** Local time in the period's zone, `2026-03-01 00:00:00`, or Unix time in seconds. */
export type PeriodEdge = string | number

export interface Clock {
  /** Unix time in milliseconds. */
  readonly now: number
  /** An IANA name. */
  readonly timeZone: string
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const UNITS: Readonly<Record<string, number>> = { minute: HOUR_MS / 60, hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS }

/** The first and last day of a period, as UTC midnights, for arithmetic. */
interface Days {
  readonly from: Date
  readonly to: Date
}

/**
 * Reads a day, month, quarter or year without a preposition: `2026-03-31`, `March 2026`, `2026-03`, `Q1 2026`, `2026`.
 * With a clock it also reads today, yesterday, this or last week (from Monday, ISO 8601), month, quarter or year,
 * and the last N minutes, hours, days or weeks. Undefined for anything else: "March" alone is ambiguous.
 */
export function periodOf(words: string, clock?: Clock): Period | undefined {
  const text = words.toLowerCase().replace(/\s+/g, ' ').trim()
  const fixed = fixedDays(text)
  if (fixed !== undefined) return calendarPeriod(fixed, clock?.timeZone ?? 'UTC')
  if (clock === undefined) return undefined
  const moving = movingDays(text, localDay(clock))
  return moving === undefined ? upToNow(text, clock) : calendarPeriod(moving, clock.timeZone)
}

function fixedDays(text: string): Days | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? []
  if (year !== undefined) return daysOf(Number(year), month && Number(month), day && Number(day))
  const [, name = '', ofYear] = /^([a-z]+) (\d{4})$/.exec(text) ?? []
  const index = MONTHS.findIndex(each => each === name || each.slice(0, 3) === name)
  if (index >= 0) return daysOf(Number(ofYear), index + 1)
  const quarter = /^q([1-4]) (\d{4})$/.exec(text)
  return quarter === null ? undefined : quarterOf(Number(quarter[2]), Number(quarter[1]) - 1)
}

function daysOf(year: number, month?: number | '', day?: number | ''): Days | undefined {
  if (year < 1971 || year > 2100) return undefined
  if (!month) return { from: date(year), to: date(year + 1) }
  if (month > 12) return undefined
  if (!day) return { from: date(year, month - 1), to: date(year, month) }
  const from = date(year, month - 1, day)
  return from.getUTCMonth() === month - 1 && from.getUTCDate() === day ? { from, to: date(year, month - 1, day + 1) } : undefined
}

function quarterOf(year: number, index: number): Days {
  return { from: date(year, 3 * index), to: date(year, 3 * index + 3) }
}

function movingDays(text: string, today: Date): Days | undefined {
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()]
  if (text === 'today') return { from: today, to: date(year, month, day + 1) }
  if (text === 'yesterday') return { from: date(year, month, day - 1), to: today }
  const [, which, named] = /^(this|last) (week|month|quarter|year)$/.exec(text) ?? []
  const unit = CALENDAR_UNITS.find(each => each === named)
  if (unit === undefined) return undefined
  const from = unitsAfter(unitStart(today.getTime(), unit), unit, which === 'last' ? -1 : 0)
  return { from: new Date(from), to: new Date(unitsAfter(from, unit)) }
}

function upToNow(text: string, { now, timeZone }: Clock): Period | undefined {
  const [, count = '1', unit = ''] = /^(?:last|past) (?:(\d{1,5}) )?(minute|hour|day|week)s?$/.exec(text) ?? []
  const milliseconds = UNITS[unit]
  // "The last week" may mean a calendar week or seven days, so it is refused.
  if (milliseconds === undefined || /^(?:last|past) (?:day|week)s?$/.test(text)) return undefined
  if (Number(count) < 1 || Number(count) > DOMAIN_LIMITS.periodUnits) return undefined
  const seconds = (moment: number) => Math.floor(moment / 1000)
  return { from: seconds(now - Number(count) * milliseconds), to: seconds(now), timeZone }
}

function calendarPeriod({ from, to }: Days, timeZone: string): Period {
  const midnight = (day: Date) => `${day.toISOString().slice(0, 10)} 00:00:00`
  return { from: midnight(from), to: midnight(to), timeZone }
}

function date(year: number, month = 0, day = 1): Date {
  return new Date(Date.UTC(year, month, day))
}

/** Returns today's date in the clock's time zone. */
function localDay({ now, timeZone }: Clock): Date {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' }).formatToParts(now)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find(each => each.type === type)?.value)
  return date(part('year'), part('month') - 1, part('day'))
}
