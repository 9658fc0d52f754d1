import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/durations.ts'
import { memoizePerText } from '../../base/memoize.ts'
import type { WrittenDate } from '../figures/written-dates.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { ColumnFacts } from './column-facts.ts'

interface Shifted {
  readonly values: Float64Array
  readonly facts: ColumnFacts
  /**
   * Maps each minute since midnight to its rows. A time with seconds is listed at the minute before it, and also at the minute
   * after it if that minute is nearer.
   */
  readonly minutes: ReadonlyMap<number, readonly number[]>
}

/** A column of days or times. A value is in milliseconds since 1970, with the cell's own clock read as UTC. NULL is NaN. */
export class TimeColumn {
  readonly name: string
  readonly position: number
  readonly values: Float64Array
  readonly zone: string
  /** The cells are days without a time of day. */
  readonly days: boolean
  /** All cells are the first day of a month, so each stands for its month. */
  readonly months: boolean
  readonly #shifted = new Map<string, Shifted>()

  constructor(name: string, position: number, values: Float64Array, zone: string, isDate: boolean) {
    this.name = name
    this.position = position
    this.values = values
    this.zone = zone
    this.days = isDate || values.every(value => Number.isNaN(value) || value % DAY_MS === 0)
    this.months = this.days && values.every(value => Number.isNaN(value) || new Date(value).getUTCDate() === 1)
  }

  /**
   * Returns the rows that show a written time.
   * @param zone the zone of the written time; if empty, the zone of the cells
   * @param rows the rows to search; if undefined, all of them
   */
  rowsShowing(date: WrittenDate, zone: string, rows: readonly number[] | undefined): readonly number[] {
    const { clock } = date
    if (clock !== undefined && this.days) return []
    const { values, facts, minutes } = this.#inZone(this.days ? '' : zone)
    const spans = date.month === undefined && date.year === undefined ? undefined : spansOf(date, facts.sorted)
    if (spans !== undefined && !spans.some(([from, to]) => facts.hasWithin(from, to - 1))) return []
    const isShown = (row: number) => {
      const value = values[row] ?? Number.NaN
      if (Number.isNaN(value) || (spans !== undefined && !spans.some(([from, to]) => value >= from && value < to))) return false
      return clock === undefined || showsClock(value, clock, date.seconds)
    }
    if (rows !== undefined) return rows.filter(isShown)
    if (clock !== undefined) return (minutes.get(clock) ?? []).filter(isShown)
    const found: number[] = []
    for (let row = 0; row < values.length; row++) if (isShown(row)) found.push(row)
    return found
  }

  #inZone(zone: string): Shifted {
    const known = this.#shifted.get(zone)
    if (known) return known
    const values = zone === '' || zone === this.zone ? this.values : shift(this.values, this.zone, zone)
    const minutes = new Map<number, number[]>()
    values.forEach((value, row) => {
      if (Number.isNaN(value)) return
      const minute = minuteOf(value)
      for (const at of new Set([Math.floor(minute), Math.round(minute)])) {
        const rows = minutes.get(at)
        if (rows) rows.push(row)
        else minutes.set(at, [row])
      }
    })
    const shifted = { values, facts: new ColumnFacts(values), minutes }
    this.#shifted.set(zone, shifted)
    return shifted
  }
}

function minuteOf(value: number): number {
  return (((value % DAY_MS) + DAY_MS) % DAY_MS) / MINUTE_MS
}

function showsClock(value: number, clock: number, seconds: number | undefined): boolean {
  const minutes = minuteOf(value)
  if (seconds !== undefined) return Math.floor(minutes * 60 + 1e-6) === clock * 60 + seconds
  return Math.floor(minutes) === clock || Math.round(minutes) === clock
}

/**
 * Compares a time with a written day, month or time of day: -1 if the time is earlier, 0 if the time lies within the written one,
 * 1 if the time is later.
 */
export function compareWithDate(value: number, date: WrittenDate): -1 | 0 | 1 {
  const time = new Date(value)
  const parts = [
    [time.getUTCFullYear(), date.year],
    [time.getUTCMonth() + 1, date.month],
    [time.getUTCDate(), date.day],
    [Math.floor(minuteOf(value)), date.clock],
  ] as const
  for (const [own, written] of parts) if (written !== undefined && own !== written) return own < written ? -1 : 1
  return 0
}

/** Returns the start and end of a written day or month. If the year is not written, returns them for each year of the column. */
function spansOf({ year, month, day }: WrittenDate, sorted: Float64Array): (readonly [number, number])[] {
  const years = yearsOf(sorted)
  if (years === undefined) return []
  const first = year ?? years.first
  const last = Math.min(year ?? years.last, first + CHECK_LIMITS.rows.years)
  const spans: (readonly [number, number])[] = []
  for (let at = first; at <= last; at++) {
    if (month === undefined) spans.push([Date.UTC(at, 0, 1), Date.UTC(at + 1, 0, 1)])
    else if (day === undefined) spans.push([Date.UTC(at, month - 1, 1), Date.UTC(at, month, 1)])
    else spans.push([Date.UTC(at, month - 1, day), Date.UTC(at, month - 1, day) + DAY_MS])
  }
  return spans
}

function yearsOf(sorted: Float64Array): { first: number; last: number } | undefined {
  const first = sorted[0]
  const last = sorted.at(-1)
  if (first === undefined || last === undefined) return undefined
  return { first: new Date(first).getUTCFullYear(), last: new Date(last).getUTCFullYear() }
}

/** Converts times from the clock of one zone to the clock of another zone. With an unknown zone, the times stay the same. */
export function shift(values: Float64Array, from: string, to: string): Float64Array {
  const fromOffset = offsets(from)
  const toOffset = offsets(to)
  return values.map(value => (Number.isNaN(value) ? value : value - fromOffset(value) + toOffset(value)))
}

/**
 * Returns a function from a time to the zone's offset from UTC. The offset is looked up once a month, or once an hour in months
 * in which the clocks change.
 */
function offsets(zone: string): (time: number) => number {
  if (/^(?:UTC|GMT|Etc\/UTC|)$/.test(zone)) return () => 0
  const at = offsetOf(zone)
  if (at === undefined) return () => 0
  const months = new Map<number, number | undefined>()
  const hours = new Map<number, number>()
  return time => {
    const date = new Date(time)
    const month = date.getUTCFullYear() * 12 + date.getUTCMonth()
    if (!months.has(month)) {
      const first = at(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1))
      const last = at(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1))
      months.set(month, first === last ? first : undefined)
    }
    const whole = months.get(month)
    if (whole !== undefined) return whole
    const hour = Math.floor(time / HOUR_MS)
    const known = hours.get(hour) ?? at(hour * HOUR_MS)
    hours.set(hour, known)
    return known
  }
}

const offsetFormat = memoizePerText(
  timeZone => new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' }),
  CHECK_LIMITS.rows.cachedZones,
)

function offsetOf(zone: string): ((time: number) => number) | undefined {
  try {
    const format = offsetFormat(zone)
    return time => {
      const name = format.formatToParts(time).find(part => part.type === 'timeZoneName')?.value ?? ''
      const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name)
      return match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * MINUTE_MS : 0
    }
  } catch {
    return undefined
  }
}
