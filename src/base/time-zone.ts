import { DAY_MS } from './durations.ts'
import { BASE_LIMITS } from './limits.ts'
import { memoizePerText } from './memoize.ts'

const formatOf = memoizePerText(
  timeZone => new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
  BASE_LIMITS.cachedZones,
)

/** Whether this is the name of a time zone that Node knows, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Returns a zone's local time at a moment, in milliseconds, as if the zone were UTC. It has whole seconds. */
export function localTime(at: number, timeZone: string): number {
  return Date.parse(`${formatOf(timeZone).format(at).replace(' ', 'T')}Z`)
}

/** Returns the first moment at which a zone's clocks show a local time or a later one. Some days have no midnight, or two. */
export function momentOf(local: number, timeZone: string): number {
  const near = [local - DAY_MS, local + DAY_MS].map(at => local - (localTime(at, timeZone) - at))
  return Math.min(...near.filter(at => localTime(at, timeZone) >= local))
}
