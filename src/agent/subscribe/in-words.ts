import { type Language, momentText, numberText } from '../../words/language.ts'
import { subscriptionWords } from '../../words/subscription.ts'
import type { Condition } from './condition.ts'
import { type Recurrence, type Schedule, WEEKDAYS } from './schedule.ts'

/** Writes when something recurs, such as "every 2 weeks on Monday at 09:00 (Europe/Berlin)". */
export function recurrenceInWords({ schedule, zone, until }: Recurrence, language: Language): string {
  const words = subscriptionWords(language)
  const every = { minutes: words.everyMinutes, days: words.everyDays, weeks: words.everyWeeks }
  const { weekdays, between, at } = { weekdays: null, between: null, at: null, ...schedule }
  const parts = [
    schedule.unit === 'months' ? daysOfMonths(schedule, language) : every[schedule.unit](schedule.every),
    ...(weekdays ? [words.on(weekdayNames(weekdays, language))] : []),
    ...(between ? [words.between(between.from, between.to)] : []),
    ...(at ? [words.at(at)] : []),
  ]
  const told = parts.length === 1 ? parts.join() : `${parts.join(' ')} (${zone})`
  return until === undefined ? told : words.until(told, until)
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
  return momentText(at, zone, language, { weekday: 'short', month: 'short', year: 'numeric' })
}

function daysOfMonths({ days, months }: Extract<Schedule, { unit: 'months' }>, language: Language): string {
  const words = subscriptionWords(language)
  const named = days.map(day => {
    if (typeof day === 'number') return words.dayNumber(day)
    if (day === 'last') return words.lastDay
    const name = day.weekday === 'workday' ? words.workday : weekdayNames([day.weekday], language).join()
    return words.nthWeekday(day.nth, name)
  })
  const { format } = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  return words.onDays(named, months.length === 12 ? [] : months.map(month => format(Date.UTC(2026, month - 1, 1))))
}

/** Returns the names of days of the week, such as "Monday". */
export function weekdayNames(weekdays: readonly (typeof WEEKDAYS)[number][], language: Language): readonly string[] {
  const { format } = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  // 5 January 2026 is a Monday.
  return weekdays.map(name => format(Date.UTC(2026, 0, 5 + WEEKDAYS.indexOf(name))))
}
