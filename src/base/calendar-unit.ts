import { DAY_MS, HOUR_MS } from './durations.ts'

/** The units of the calendar, shortest first. */
export const CALENDAR_UNITS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type CalendarUnit = (typeof CALENDAR_UNITS)[number]

const MONTHS = { month: 1, quarter: 3, year: 12 } as const

/**
 * Returns the beginning of the unit that contains a moment. A moment is a local time in milliseconds, computed as if its zone
 * were UTC. Weeks begin on Monday.
 */
export function unitStart(moment: number, unit: CalendarUnit): number {
  const date = new Date(moment)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  switch (unit) {
    case 'hour':
      return Math.floor(moment / HOUR_MS) * HOUR_MS
    case 'day':
      return Date.UTC(year, month, day)
    case 'week':
      return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7))
    default:
      return Date.UTC(year, month - (month % MONTHS[unit]), 1)
  }
}

/** Writes the day of a moment, such as `2026-11-30`. */
export function dayText(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

/** Returns the moment `count` units after the beginning of a unit. */
export function unitsAfter(start: number, unit: CalendarUnit, count = 1): number {
  const date = new Date(start)
  switch (unit) {
    case 'hour':
      return start + count * HOUR_MS
    case 'day':
      return start + count * DAY_MS
    case 'week':
      return start + count * 7 * DAY_MS
    default:
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count * MONTHS[unit], date.getUTCDate())
  }
}
