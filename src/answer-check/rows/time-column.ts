import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/durations.ts'
import { memoizePerText } from '../../base/memoize.ts'
import type { WrittenDate } from '../figures/written-dates.ts'
import { CHECK_LIMITS } from '../limits.ts'

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
  /** The values in other zones. */
  readonly #shifted = new Map<string, Float64Array>()

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
  rowsShowing({ clock, seconds, ...day }: WrittenDate, zone: string, rows?: readonly number[]): readonly number[] {
    if (clock !== undefined && this.days) return []
    const values = this.days ? this.values : this.#inZone(zone)
    const isShown = (value = Number.NaN) =>
      !Number.isNaN(value) && (clock === undefined || showsClock(value, clock, seconds)) && compareWithDate(value, day) === 0
    return (rows ?? [...values.keys()]).filter(row => isShown(values[row]))
  }

  #inZone(zone: string): Float64Array {
    if (zone === '' || zone === this.zone) return this.values
    const shifted = this.#shifted.get(zone) ?? shift(this.values, this.zone, zone)
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
