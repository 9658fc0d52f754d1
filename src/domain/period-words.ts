import { CALENDAR_UNITS, type CalendarUnit, dayText, unitStart, unitsAfter } from '../base/calendar-unit.ts'
import { DAY_MS, HOUR_MS } from '../base/durations.ts'
import { DOMAIN_LIMITS } from './limits.ts'

/**
 * A period of time. `from` is its first second, and `to` is the first second after it. Both are local time in the zone, or Unix
 * time in seconds.
 */
export interface Period {
  readonly from: string | number
  readonly to: string | number
  /** The name of the time zone, such as `Europe/Berlin`. */
  readonly timeZone: string
  /** The first and the last day or minute of the period, in a form that is the same in every language. */
  readonly shown: string
}

export interface Clock {
  /** Unix time in milliseconds. */
  readonly now: number
  /** The name of the time zone, such as `Europe/Berlin`. */
  readonly timeZone: string
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const LONG_MONTHS = 'january february march april may june july august september october november december'.split(' ')
const LENGTHS: Readonly<Record<string, number>> = { minute: HOUR_MS / 60, hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS }

/**
 * Reads a day, month, quarter or year without a preposition: `2026-03-31`, `March 2026`, `2026-03`, `Q1 2026`, `2026`. With a
 * clock, also reads today, yesterday, this or last week (from Monday, ISO 8601), month, quarter or year, and the last N minutes,
 * hours, days or weeks. Returns undefined for anything else, such as "March" without a year.
 */
export function periodOf(words: string, clock?: Clock): Period | undefined {
  const text = words.toLowerCase()
  const fixed = fixedStart(text)
  if (fixed !== undefined) return calendarPeriod(...fixed, clock?.timeZone ?? 'UTC')
  if (clock === undefined) return undefined
  const isDay = text === 'today' || text === 'yesterday'
  const [, which, named] = /^(this|last) (week|month|quarter|year)$/.exec(text) ?? []
  const unit = isDay ? 'day' : CALENDAR_UNITS.find(each => each === named)
  if (unit === undefined) return upToNow(text, clock)
  const back = which === 'last' || text === 'yesterday' ? -1 : 0
  return calendarPeriod(unitsAfter(unitStart(localNow(clock), unit), unit, back), unit, clock.timeZone)
}

/** Returns the first day of a calendar period in UTC, and the period's unit: for "March 2026", 1 March and `month`. */
function fixedStart(text: string): readonly [number, CalendarUnit] | undefined {
  const [, year = '', month = '01', day = '01'] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? []
  const unit = ({ 4: 'year', 7: 'month', 10: 'day' } as const)[text.length]
  if (year !== '' && unit !== undefined) return validStart(`${year}-${month}-${day}`, unit)
  const [, name = '', ofYear = ''] = /^(\w+) (\d{4})$/.exec(text) ?? []
  const quarter = /^q([1-4])$/.exec(name)?.[1]
  const index =
    quarter === undefined ? MONTHS.findIndex((each, at) => each === name || LONG_MONTHS[at] === name) : 3 * Number(quarter) - 3
  if (index < 0) return undefined
  return validStart(`${ofYear}-${String(index + 1).padStart(2, '0')}-01`, quarter === undefined ? 'month' : 'quarter')
}

function validStart(date: string, unit: CalendarUnit): readonly [number, CalendarUnit] | undefined {
  const start = Date.parse(`${date}T00:00:00Z`)
  const exists = dayText(Number.isNaN(start) ? 0 : start) === date
  return exists && date > '1971' && date < '2101' ? [start, unit] : undefined
}

function calendarPeriod(start: number, unit: CalendarUnit, timeZone: string): Period {
  const end = unitsAfter(start, unit)
  const [first, last] = [dayText(start), dayText(end - DAY_MS)]
  const shown = `${first === last ? last : `${first} – ${last}`} (${timeZone})`
  return { from: `${first} 00:00:00`, to: `${dayText(end)} 00:00:00`, timeZone, shown }
}

function upToNow(text: string, { now, timeZone }: Clock): Period | undefined {
  const [, count, unit = ''] = /^(?:the )?(?:last|past) (?:(\d{1,5}) )?(minute|hour|day|week)s?$/.exec(text) ?? []
  const length = LENGTHS[unit]
  // "The last week" may mean a calendar week or seven days, so it is refused. "The last hour" has one meaning.
  if (length === undefined || (count === undefined && length >= DAY_MS)) return undefined
  if (count !== undefined && (Number(count) < 1 || Number(count) > DOMAIN_LIMITS.periodUnits)) return undefined
  const start = now - Number(count ?? 1) * length
  const minute = (moment: number) => new Date(moment).toISOString().slice(0, 16).replace('T', ' ')
  const [from, to] = [Math.floor(start / 1000), Math.floor(now / 1000)]
  return { from, to, timeZone, shown: `${minute(start)} – ${minute(now)} (UTC)` }
}

/** Returns the start of today in the clock's zone, as milliseconds of the same local time in UTC. */
function localNow({ now, timeZone }: Clock): number {
  return Date.parse(`${new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(now)}T00:00:00Z`)
}
