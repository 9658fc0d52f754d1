import { describe, expect, it } from '@jest/globals'
import { DAY_MS, HOUR_MS } from '../../base/durations.ts'
import { lastDue, nextDue, nextDues, type Recurrence, recurrenceFrom, type Schedule } from './schedule.ts'

const BERLIN = 'Europe/Berlin'
const at = (time: string) => Date.parse(time)
const daily = (time: string): Schedule => ({ unit: 'days', every: 1, at: [time] })
const ALL_MONTHS = Array.from({ length: 12 }, (_, month) => month + 1)

function from(schedule: Schedule, now: string, zone = BERLIN): Recurrence {
  const recurrence = recurrenceFrom(schedule, zone, at(now))
  if (recurrence === undefined) throw new Error('it is never due')
  return recurrence
}

function dues(schedule: Schedule, now: string, count: number, zone = BERLIN): readonly string[] {
  return nextDues(from(schedule, now, zone), at(now), count).map(due => new Date(due).toISOString().slice(0, 16))
}

describe('a schedule', () => {
  it('keeps its local time when the clocks go forward, and has a time that they skip as much later', () => {
    expect(dues(daily('08:30'), '2026-03-28T00:00:00Z', 3)).toEqual(['2026-03-28T07:30', '2026-03-29T06:30', '2026-03-30T06:30'])
    // At 02:00 the clocks show 03:00, so 02:30 is 03:30.
    expect(dues(daily('02:30'), '2026-03-28T00:00:00Z', 3)).toEqual(['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30'])
    expect(dues({ unit: 'days', every: 1, at: ['02:10', '02:50'] }, '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:10',
      '2026-03-29T01:50',
    ])
  })

  it('is due once at a time that the clocks show twice', () => {
    expect(dues(daily('02:30'), '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:30'])
    expect(dues(daily('00:00'), '2026-10-24T12:00:00Z', 3)).toEqual(['2026-10-24T22:00', '2026-10-25T23:00', '2026-10-26T23:00'])
  })

  it('is due each 5 minutes of real time on the days of 23 and of 25 hours', () => {
    const every = { unit: 'minutes', every: 5 } as const
    for (const [first, last, hours] of [
      ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 23],
      ['2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 25],
    ] as const) {
      expect(lastDue(from(every, first), at(first), at(last))).toEqual({ due: at(last), missed: hours * 12 })
    }
  })

  it('counts hours from midnight of its zone, also when the clocks change', () => {
    const hours = (count: number) => ({ unit: 'minutes', every: 60 * count }) as const
    expect(dues(hours(4), '2026-11-27T12:00:00Z', 3, 'Asia/Kolkata')).toEqual([
      '2026-11-27T14:30',
      '2026-11-27T18:30',
      '2026-11-27T22:30',
    ])
    expect(dues(hours(1), '2026-11-27T12:00:00Z', 1, 'Asia/Kolkata')).toEqual(['2026-11-27T12:30'])
    expect(dues(hours(12), '2026-03-28T12:00:00Z', 3)).toEqual(['2026-03-28T23:00', '2026-03-29T10:00', '2026-03-29T22:00'])
    expect(dues(hours(12), '2026-10-24T12:00:00Z', 3)).toEqual(['2026-10-24T22:00', '2026-10-25T11:00', '2026-10-25T23:00'])
    // 02:00 is skipped, and later shown twice.
    expect(dues(hours(2), '2026-03-28T23:00:00Z', 2)).toEqual(['2026-03-29T01:00', '2026-03-29T02:00'])
    expect(dues(hours(2), '2026-10-24T22:00:00Z', 2)).toEqual(['2026-10-25T00:00', '2026-10-25T03:00'])
    // Seven hours fill no day.
    const [one = 0, two, three] = dues(hours(7), '2026-11-27T12:00:00Z', 3).map(due => Date.parse(`${due}Z`))
    expect([two, three]).toEqual([one + 7 * HOUR_MS, one + 14 * HOUR_MS])
  })

  it('keeps to its hours and its weekdays, also over midnight', () => {
    const within = (from: string, to: string): Schedule => ({
      unit: 'minutes',
      every: 240,
      weekdays: ['friday', 'monday'],
      between: { from, to },
    })
    expect(dues(within('06:00', '17:00'), '2026-11-27T06:00:00Z', 4)).toEqual([
      '2026-11-27T09:00',
      '2026-11-27T13:00',
      '2026-11-30T05:00',
      '2026-11-30T09:00',
    ])
    expect(dues(within('21:00', '05:00'), '2026-11-27T06:00:00Z', 3)).toEqual([
      '2026-11-27T20:00',
      '2026-11-30T00:00',
      '2026-11-30T04:00',
    ])
    expect(dues(within('06:30', '06:40'), '2026-11-27T06:00:00Z', 1)).toEqual(['2026-11-30T05:30'])
  })

  it('begins on the day that is named, else today, whatever day it is in UTC', () => {
    const fortnightly: Schedule = { unit: 'weeks', every: 2, weekdays: ['monday'], at: ['09:00'] }
    const starts = (day: string) => nextDue(recurrenceFrom(fortnightly, BERLIN, now, day) ?? from(fortnightly, ''), now)
    const now = at('2026-11-28T10:00:00Z')
    expect(starts('2026-12-02')).toBe(at('2026-12-07T08:00:00Z'))
    expect(starts('2026-11-17')).toBe(at('2026-12-07T08:00:00Z'))
    expect(starts('2026-11-16')).toBe(at('2026-11-30T08:00:00Z'))
    expect(dues(daily('22:00'), '2026-11-28T01:00:00Z', 1, 'America/New_York')).toEqual(['2026-11-28T03:00'])
  })

  it('counts every second week from its first day', () => {
    const mondays: Schedule = { unit: 'weeks', every: 2, weekdays: ['monday'], at: ['09:00'] }
    expect(dues(mondays, '2026-11-28T10:00:00Z', 3)).toEqual(['2026-11-30T08:00', '2026-12-14T08:00', '2026-12-28T08:00'])
    const both: Schedule = { unit: 'weeks', every: 2, weekdays: ['monday', 'friday'], at: ['09:00'] }
    expect(dues(both, '2026-12-01T10:00:00Z', 3)).toEqual(['2026-12-04T08:00', '2026-12-14T08:00', '2026-12-18T08:00'])
  })

  it('leaves out weekends and finds the ends of months, also of February in a leap year', () => {
    const weekdays: Schedule = {
      unit: 'weeks',
      every: 1,
      weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
      at: ['08:30'],
    }
    expect(dues(weekdays, '2026-11-27T12:00:00Z', 2)).toEqual(['2026-11-30T07:30', '2026-12-01T07:30'])
    const ends = (days: Extract<Schedule, { unit: 'months' }>['days'], months = ALL_MONTHS): Schedule => ({
      unit: 'months',
      months,
      days,
      at: ['18:00'],
    })
    expect(dues(ends(['last']), '2028-01-31T20:00:00Z', 3, 'UTC')).toEqual([
      '2028-02-29T18:00',
      '2028-03-31T18:00',
      '2028-04-30T18:00',
    ])
    expect(dues(ends([29], [2]), '2026-01-01T00:00:00Z', 2, 'UTC')).toEqual(['2028-02-29T18:00', '2032-02-29T18:00'])
    expect(dues(ends([31]), '2026-03-31T20:00:00Z', 2, 'UTC')).toEqual(['2026-05-31T18:00', '2026-07-31T18:00'])
    expect(dues(ends([{ nth: 'last', weekday: 'workday' }]), '2026-01-01T00:00:00Z', 2, 'UTC')).toEqual([
      '2026-01-30T18:00',
      '2026-02-27T18:00',
    ])
    expect(dues(ends([{ nth: 1, weekday: 'monday' }]), '2026-01-01T00:00:00Z', 2, 'UTC')).toEqual([
      '2026-01-05T18:00',
      '2026-02-02T18:00',
    ])
    expect(dues({ unit: 'days', every: 3, at: ['06:00'] }, '2028-02-26T07:00:00Z', 3, 'UTC')).toEqual([
      '2028-02-27T06:00',
      '2028-03-01T06:00',
      '2028-03-04T06:00',
    ])
    expect(recurrenceFrom(ends([31], [2]), BERLIN, at('2026-01-01T00:00:00Z'))).toBeUndefined()
  })

  it('has one due time after an outage of a day, and tells how many came before', () => {
    const every = from({ unit: 'minutes', every: 5 }, '2026-11-01T00:00:00Z')
    const first = nextDue(every, at('2026-11-01T00:00:00Z')) ?? 0
    expect(lastDue(every, first, first + DAY_MS)).toEqual({ due: first + DAY_MS, missed: 288 })
    const morning = from(daily('08:30'), '2026-11-01T00:00:00Z')
    expect(lastDue(morning, at('2026-11-01T07:30:00Z'), at('2026-11-02T12:00:00Z'))).toEqual({
      due: at('2026-11-02T07:30:00Z'),
      missed: 1,
    })
  })
})
