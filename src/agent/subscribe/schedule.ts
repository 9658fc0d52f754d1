import { createHash } from 'node:crypto'
import { z } from 'zod'
import { dayText, unitStart, unitsAfter } from '../../base/calendar-unit.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/durations.ts'
import { localTime, momentOf } from '../../base/time-zone.ts'
import { AGENT_LIMITS } from '../limits.ts'

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const WORKDAYS = 5

const weekdaySchema = z.enum(WEEKDAYS)
const timeSchema = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
const atSchema = z.array(timeSchema).min(1).max(24)

/** A day of a month: its number, the last one, or a weekday such as the first Monday or the last workday. */
const dayOfMonthSchema = z.union([
  z.number().int().min(1).max(31),
  z.literal('last'),
  z.object({
    nth: z.union([z.number().int().min(1).max(5), z.literal('last')]),
    weekday: z.enum([...WEEKDAYS, 'workday']),
  }),
])
export type DayOfMonth = z.infer<typeof dayOfMonthSchema>

/** When something recurs. Times of a day are local. A month without the named day is left out. */
export const scheduleSchema = z.discriminatedUnion('unit', [
  z.object({
    unit: z.literal('minutes'),
    every: z.number().int().min(AGENT_LIMITS.subscribe.leastMinutes).max(1440),
    weekdays: z.array(weekdaySchema).min(1).nullish(),
    /** The hours of the day that count, both ends included. `to` may be before `from`, for a night. */
    between: z.object({ from: timeSchema, to: timeSchema }).nullish(),
  }),
  z.object({ unit: z.literal('days'), every: z.number().int().min(1).max(366), at: atSchema }),
  z.object({
    unit: z.literal('weeks'),
    every: z.number().int().min(1).max(52),
    weekdays: z.array(weekdaySchema).min(1),
    at: atSchema,
  }),
  z.object({
    unit: z.literal('months'),
    /** The numbers of the months. All twelve for each month. */
    months: z.array(z.number().int().min(1).max(12)).min(1),
    days: z.array(dayOfMonthSchema).min(1),
    at: atSchema,
  }),
])
export type Schedule = z.infer<typeof scheduleSchema>

export const recurrenceSchema = z.object({
  schedule: scheduleSchema,
  /** The IANA name of the time zone of its days and times. */
  zone: z.string(),
  /** The first day, such as `2026-11-30`. Every second week, for example, is counted from it. */
  from: z.iso.date(),
  /** The last day. Absent if it goes on. */
  until: z.iso.date().optional(),
})
export type Recurrence = z.infer<typeof recurrenceSchema>

/**
 * Makes a schedule recur from its first time after a moment.
 * @param starts its first day, such as `2026-11-30`, if it is named
 * @param until its last day, if it is named
 * @returns undefined if it has no time at all, such as on 31 February
 */
export function recurrenceFrom(
  schedule: Schedule,
  zone: string,
  now: number,
  starts: string | null = null,
  until: string | null = null,
): Recurrence | undefined {
  const each = 'every' in schedule && schedule.unit !== 'minutes' ? { ...schedule, every: 1 } : schedule
  const begun = { schedule: each, zone, from: starts ?? dayText(localTime(now, zone)) }
  const first = nextDue(begun, starts === null ? now : 0)
  if (first === undefined) return undefined
  const recurrence = { schedule, zone, from: dayText(localTime(first, zone)), ...(until !== null && { until }) }
  return nextDue(recurrence, first - 1) === undefined ? undefined : recurrence
}

/** Returns the first due time after a moment. Undefined if there is none. */
export function nextDue(recurrence: Recurrence, after: number): number | undefined {
  return nextDues(recurrence, after, 1)[0]
}

/** Returns the next due times after a moment, at most `count`. */
export function nextDues(recurrence: Recurrence, after: number, count: number): readonly number[] {
  const found: number[] = []
  for (const due of duesAfter(recurrence, after)) if (found.push(due) === count) break
  return found
}

/** Returns the last due time up to now, and how many came before it. `first` is due already. */
export function lastDue(recurrence: Recurrence, first: number, now: number): { readonly due: number; readonly missed: number } {
  const last = { due: first, missed: 0 }
  for (const due of duesAfter(recurrence, first)) {
    if (due > now) break
    last.due = due
    last.missed += 1
  }
  return last
}

/**
 * Yields the due times after a moment. A time that the clocks skip is due as much after the gap as it lies in it. A time that they
 * show twice is due the first time.
 */
function* duesAfter({ schedule, zone, from, until }: Recurrence, after: number): Generator<number> {
  const anchor = Date.parse(from)
  let last = Math.max(after, momentOf(anchor, zone) - 1)
  // Hours that began on the day before may go on past midnight.
  const first = unitStart(localTime(last, zone), 'day') - DAY_MS
  for (let day = first; day <= first + AGENT_LIMITS.subscribe.searchedDays * DAY_MS; day += DAY_MS)
    for (const due of timesOf(schedule, day, anchor, zone)) {
      if (due <= last) continue
      if (until !== undefined && dayText(localTime(due, zone)) > until) return
      yield due
      last = due
    }
}

/** Returns the times of a day at which a schedule may be due. */
function timesOf(schedule: Schedule, day: number, anchor: number, zone: string): readonly number[] {
  if (schedule.unit !== 'minutes')
    return isDay(schedule, day, anchor)
      ? schedule.at.map(time => momentOf(day + timeOfDay(time), zone)).sort((a, b) => a - b)
      : []
  const step = schedule.every * MINUTE_MS
  const begin = timeOfDay(schedule.between?.from ?? '00:00')
  const [start, end] = [momentOf(day + begin, zone), momentOf(day + DAY_MS + begin, zone)]
  // Each day begins anew, with the first of its hours or at midnight. Steps that fill no day go on through the days.
  const isAnew = schedule.between != null || DAY_MS % step === 0
  const first = isAnew ? start : Math.ceil(start / step) * step
  // On the day on which the clocks change, steps of hours keep their times of the day, and shorter ones their pace.
  const times =
    isAnew && step > HOUR_MS
      ? Array.from({ length: Math.ceil(DAY_MS / step) }, (_, at) => momentOf(day + begin + at * step, zone))
      : Array.from({ length: Math.ceil((end - first) / step) }, (_, at) => first + at * step)
  return times.filter(at => isWithin(schedule, at, zone))
}

/**
 * Returns how long after its due times a subscription starts, in milliseconds. It is the same each time, and differs from one
 * subscription to the next, so that full hours bring no herd.
 */
export function jitterOf({ id, recurrence: { schedule } }: { readonly id: string; readonly recurrence: Recurrence }): number {
  const { jitterMs, jitterShare } = AGENT_LIMITS.subscribe
  const most = schedule.unit === 'minutes' ? Math.min(jitterMs, schedule.every * MINUTE_MS * jitterShare) : jitterMs
  return createHash('sha256').update(id).digest().readUInt32BE() % most
}

function isDay(schedule: Exclude<Schedule, { unit: 'minutes' }>, day: number, anchor: number): boolean {
  const passed = (day - anchor) / DAY_MS
  switch (schedule.unit) {
    case 'days':
      return passed % schedule.every === 0
    case 'weeks':
      return isOn(schedule.weekdays, day) && Math.floor((weekdayOf(anchor) + passed) / 7) % schedule.every === 0
    case 'months':
      return schedule.months.includes(new Date(day).getUTCMonth() + 1) && schedule.days.some(each => isDayOfMonth(each, day))
  }
}

/** Whether a moment lies in the days and the hours that count. */
function isWithin({ weekdays, between }: Extract<Schedule, { unit: 'minutes' }>, at: number, zone: string): boolean {
  if (!weekdays && !between) return true
  const local = localTime(at, zone)
  const day = unitStart(local, 'day')
  if (weekdays && !isOn(weekdays, day)) return false
  if (!between) return true
  const [isFrom, isTo] = [local >= day + timeOfDay(between.from), local <= day + timeOfDay(between.to)]
  return between.from <= between.to ? isFrom && isTo : isFrom || isTo
}

function isOn(weekdays: readonly (typeof WEEKDAYS)[number][], day: number): boolean {
  return weekdays.some(name => WEEKDAYS.indexOf(name) === weekdayOf(day))
}

function isDayOfMonth(wanted: DayOfMonth, day: number): boolean {
  const { nth, weekday } = typeof wanted === 'object' ? wanted : { nth: wanted, weekday: undefined }
  const first = unitStart(day, 'month')
  const length = (unitsAfter(first, 'month') - first) / DAY_MS
  const days = Array.from({ length }, (_, at) => first + at * DAY_MS).filter(each =>
    weekday === 'workday' ? weekdayOf(each) < WORKDAYS : weekday === undefined || isOn([weekday], each),
  )
  return day === (nth === 'last' ? days.at(-1) : days[nth - 1])
}

/** Returns the place of a day in the week. Monday has 0. */
function weekdayOf(day: number): number {
  return (new Date(day).getUTCDay() + 6) % 7
}

function timeOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return (60 * hours + minutes) * MINUTE_MS
}
