import { type CalendarUnit, dayText, unitStart, unitsAfter } from '../../base/calendar-unit.ts'
import { DAY_MS } from '../../base/durations.ts'
import { localTime, momentOf } from '../../base/time-zone.ts'

/** Returns the day of a moment in a time zone, such as `2026-11-27`. */
export function dayOf(at: number, timeZone: string): string {
  return dayText(localTime(at, timeZone))
}

/** Returns the days so far of the calendar unit that contains a moment, and the end of the unit. */
export function windowAt(
  at: number,
  unit: CalendarUnit,
  timeZone: string,
): { readonly days: readonly string[]; readonly endsAt: number } {
  const today = unitStart(localTime(at, timeZone), 'day')
  const start = unitStart(today, unit)
  return { days: daysBetween(start, today), endsAt: momentOf(unitsAfter(start, unit), timeZone) }
}

/** Returns the days from one local time to another, both included. */
export function daysBetween(first: number, last: number): readonly string[] {
  const count = Math.floor(last / DAY_MS) - Math.floor(first / DAY_MS) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => dayText(first + index * DAY_MS))
}
