import { describe, expect, it } from '@jest/globals'
import { dayOf, windowAt } from './windows.ts'

describe('a window of the calendar', () => {
  it.each([
    ['day', '2026-11-27T12:00:00Z', 'UTC', ['2026-11-27'], '2026-11-28T00:00:00Z'],
    ['day', '2026-11-27T23:30:00Z', 'Europe/Berlin', ['2026-11-28'], '2026-11-28T23:00:00Z'],
    ['week', '2026-11-25T12:00:00Z', 'UTC', ['2026-11-23', '2026-11-24', '2026-11-25'], '2026-11-30T00:00:00Z'],
    ['month', '2026-02-02T12:00:00Z', 'Asia/Kathmandu', ['2026-02-01', '2026-02-02'], '2026-02-28T18:15:00Z'],
    // The clocks go forward or back.
    ['day', '2026-03-29T00:30:00Z', 'Europe/Berlin', ['2026-03-29'], '2026-03-29T22:00:00Z'],
    ['day', '2026-10-24T22:00:00Z', 'Europe/Berlin', ['2026-10-25'], '2026-10-25T23:00:00Z'],
    ['month', '2026-10-01T21:59:59Z', 'Europe/Berlin', ['2026-10-01'], '2026-10-31T23:00:00Z'],
    ['week', '2026-03-23T12:00:00Z', 'Europe/Berlin', ['2026-03-23'], '2026-03-29T22:00:00Z'],
    // The clocks go from 0:00 to 1:00.
    ['day', '2018-11-03T12:00:00Z', 'America/Sao_Paulo', ['2018-11-03'], '2018-11-04T03:00:00Z'],
    // The clocks go from 1:00 to 0:00 of the same day.
    ['day', '2026-10-31T12:00:00Z', 'America/Havana', ['2026-10-31'], '2026-11-01T04:00:00Z'],
    // The clocks go from 0:00 to 23:00 of the day before.
    ['day', '2018-02-17T12:00:00Z', 'America/Sao_Paulo', ['2018-02-17'], '2018-02-18T03:00:00Z'],
  ] as const)('of a %s at %s in %s', (unit, at, timeZone, days, end) => {
    const { days: found, endsAt } = windowAt(Date.parse(at), unit, timeZone)
    expect(found).toEqual(days)
    expect(new Date(endsAt).toISOString()).toBe(end.replace('Z', '.000Z'))
    expect(dayOf(endsAt - 1_000, timeZone) >= (days.at(-1) ?? '')).toBe(true)
    expect(windowAt(endsAt, unit, timeZone).days).toHaveLength(1)
  })
})
