import { draftWords } from '../../words/draft.ts'
import type { Language } from '../../words/language.ts'

/** Any Sunday. Cron counts the days of the week from it. */
const SUNDAY = Date.UTC(2026, 0, 4)
const DAY_MS = 24 * 3_600_000

/** Writes a cron schedule of five fields in words: "every day at 03:00". An unusual schedule is shown as it is. */
export function scheduleInWords(schedule: string, language: Language): string {
  const words = draftWords(language)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = schedule.trim().split(/\s+/)
  const other = words.bySchedule(`\`${schedule.replaceAll('`', "'")}\``)
  const step = /^\*(?:\/(\d+))?$/.exec(minute)
  if (month !== '*') return other
  if (step !== null) return [hour, day, weekday].every(each => each === '*') ? words.everyMinutes(Number(step[1] ?? 1)) : other
  if (!isNumber(minute)) return other
  if (hour === '*' && day === '*' && weekday === '*') return words.hourly(minute)
  if (!isNumber(hour)) return other
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (day === '*' && weekday === '*') return words.daily(time)
  if (day !== '*') return weekday === '*' && isNumber(day) ? words.monthly(day, time) : other
  const days = daysOf(weekday)
  return days === undefined
    ? other
    : words.weekly(
        days.map(each => dayName(each, language)),
        time,
      )
}

function isNumber(field: string): boolean {
  return /^\d{1,2}$/.test(field)
}

/** Returns the days that a field such as `1-5` or `0,6` lists. Undefined if it is more than a list of days. */
function daysOf(weekday: string): readonly number[] | undefined {
  const days = weekday.split(',').map(part => {
    const [, first, last = first] = /^([0-7])(?:-([0-7]))?$/.exec(part) ?? []
    return Array.from({ length: Math.max(0, Number(last) - Number(first) + 1 || 0) }, (_, at) => Number(first) + at)
  })
  return days.some(each => each.length === 0) ? undefined : days.flat()
}

function dayName(day: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(SUNDAY + (day % 7) * DAY_MS)
}
