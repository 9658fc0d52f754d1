import { DAY_MS } from '../../base/durations.ts'
import { type Language, numberText } from '../../words/language.ts'
import { subscriptionWords } from '../../words/subscription.ts'
import type { Condition } from './condition.ts'
import { type DayOfMonth, type Recurrence, WEEKDAYS } from './schedule.ts'

/** A Monday. */
const MONDAY = Date.UTC(2026, 0, 5)

/** Writes when something recurs, such as "every 2 weeks on Monday at 09:00 (Europe/Berlin)". */
export function recurrenceInWords({ schedule, zone, until }: Recurrence, language: Language): string {
  const words = subscriptionWords(language)
  const weekdays = weekdayNames(('weekdays' in schedule && schedule.weekdays) || [], language)
  const told = (): string => {
    switch (schedule.unit) {
      case 'minutes': {
        const when = words.everyMinutes(schedule.every)
        return weekdays.length > 0 || schedule.between ? words.within(when, weekdays, schedule.between ?? null, zone) : when
      }
      case 'days':
        return words.at(words.everyDays(schedule.every), schedule.at, zone)
      case 'weeks':
        return words.at(words.onWeekdays(schedule.every, weekdays), schedule.at, zone)
      case 'months': {
        const months = schedule.months.length === 12 ? [] : schedule.months.map(month => monthName(month, language))
        const days = schedule.days.map(day => dayOfMonth(day, language))
        return words.at(words.onDays(days, months), schedule.at, zone)
      }
    }
  }
  return until === undefined ? told() : words.until(told(), until)
}

/** Writes a condition as the end of a sentence, such as "the figure is above 2 for 15 minutes". */
export function conditionInWords(condition: Condition, language: Language): string {
  const words = subscriptionWords(language)
  const { kind } = condition
  if (kind === 'change') {
    const by = condition.by === null ? null : numberText(condition.by, language)
    return words.change(by === null || condition.unit !== 'percent' ? by : `${by} %`, condition.direction ?? null)
  }
  const told = kind === 'threshold' ? words.threshold(condition.operator, numberText(condition.value, language)) : words[kind]
  return 'minutes' in condition ? told + words.forMinutes(condition.minutes) : told
}

/** Writes a moment in a zone, such as "Mon 30 Nov 2026, 09:00". */
export function momentInWords(at: number, zone: string, language: Language): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
}

function dayOfMonth(day: DayOfMonth, language: Language): string {
  const words = subscriptionWords(language)
  if (typeof day === 'number') return words.dayNumber(day)
  if (day === 'last') return words.lastDay
  const name = day.weekday === 'workday' ? words.workday : weekdayNames([day.weekday], language).join()
  return words.nthWeekday(day.nth, name)
}

/** Returns the names of days of the week, such as "Monday". */
export function weekdayNames(weekdays: readonly (typeof WEEKDAYS)[number][], language: Language): readonly string[] {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  return weekdays.map(name => format.format(MONDAY + WEEKDAYS.indexOf(name) * DAY_MS))
}

function monthName(month: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, month - 1, 1))
}
