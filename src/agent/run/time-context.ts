import { memoizePerText } from '../../base/memoize.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { RunRequest } from './request.ts'

const formatOf = memoizePerText(
  timeZone =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
  AGENT_LIMITS.run.cachedZones,
)

/** What the model is told of a question whose SQL a program runs again at later times. */
const RECURS = `

The query of this question is kept, and a program runs it again at later times. So in SQL, write every moment and period that is meant from now relative to the clock (now(), current_date), never as a date or a year, and never by a text such as 'today'.
Plan one query where one can do. If figures of several things are watched, return one row for each thing, with the watched figure in a column named "watched"`

/** Writes the asker's current time, such as "Friday 2026-11-20 12:30 in Europe/Berlin (the asker's time zone)". */
export function describeNow(request: Pick<RunRequest, 'asked_at' | 'time_zone' | 'time_zone_source' | 'recurs'>): string {
  const parts = formatOf(request.time_zone).formatToParts(new Date(request.asked_at))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find(candidate => candidate.type === type)?.value ?? ''
  const whose = request.time_zone_source === 'asker' ? "the asker's time zone" : 'the time zone set by the operator'
  return `${part('weekday')} ${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')} in ${request.time_zone} (${whose})${request.recurs === true ? RECURS : ''}`
}
