import { draftWords } from '../../words/draft.ts'
import type { Language } from '../../words/language.ts'
import { subscriptionWords } from '../../words/subscription.ts'
import { weekdayNames } from '../subscribe/in-words.ts'
import { WEEKDAYS } from '../subscribe/schedule.ts'

/** Writes a cron schedule of five fields in words: "every day at 03:00". An unusual schedule is shown as it is. */
export function scheduleInWords(schedule: string, language: Language): string {
  const words = draftWords(language)
  const fields = schedule.trim().split(/\s+/)
  const [minute = '', hour = '', day = '', , weekday = ''] = fields
  const { everyDays, on, onDays, dayNumber, at } = subscriptionWords(language)
  const time = at([`${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`])
  const days = daysOf(weekday)
  // Which fields name one number. The other ones are `*`, except for steps of minutes and lists of days.
  const form = fields.map(field => (/^\d{1,2}$/.test(field) ? 'n' : field)).join(' ')
  const [step, steps = '1'] = /^\*(?:\/(\d+))? \* \* \* \*$/.exec(form) ?? []
  // Cron counts the minutes anew in each hour, so that of other steps, the last one of an hour is shorter.
  if (step !== undefined && 60 % Number(steps) === 0) return words.everyMinutes(Number(steps))
  if (form === 'n * * * *') return words.hourly(minute)
  if (form === 'n n * * *') return `${everyDays(1)} ${time}`
  if (form === 'n n n * *') return `${onDays([dayNumber(Number(day))], [])} ${time}`
  if (form.startsWith('n n * * ') && days !== undefined) return `${on(weekdayNames(days, language))} ${time}`
  return words.bySchedule(`\`${schedule.replaceAll('`', "'")}\``)
}

/** Returns the days that a field such as `1-5` or `0,6` lists. Undefined if it is more than a list of days. */
function daysOf(weekday: string): readonly (typeof WEEKDAYS)[number][] | undefined {
  const days = weekday.split(',').map(part => {
    const [, first, last = first] = /^([0-7])(?:-([0-7]))?$/.exec(part) ?? []
    return Array.from({ length: Math.max(0, Number(last) - Number(first) + 1 || 0) }, (_, at) => Number(first) + at)
  })
  return days.some(each => each.length === 0) ? undefined : days.flat().flatMap(day => WEEKDAYS[(day + 6) % 7] ?? [])
}
