import { describe, expect, it } from '@jest/globals'
import { describeNow } from './time-context.ts'

describe('describeNow', () => {
  it.each([
    ['2026-11-20T11:30:00.000Z', 'Europe/Berlin', 'Friday 2026-11-20 12:30 in Europe/Berlin'],
    ['2026-12-31T23:59:59.999Z', 'Pacific/Auckland', 'Friday 2027-01-01 12:59 in Pacific/Auckland'],
    ['2026-03-29T00:59:00.000Z', 'Europe/Berlin', 'Sunday 2026-03-29 01:59 in Europe/Berlin'],
    ['2026-03-29T01:00:00.000Z', 'Europe/Berlin', 'Sunday 2026-03-29 03:00 in Europe/Berlin'],
    ['2026-01-01T00:00:00.000Z', 'UTC', 'Thursday 2026-01-01 00:00 in UTC'],
    ['2026-01-01T00:00:00.000Z', 'Asia/Kathmandu', 'Thursday 2026-01-01 05:45 in Asia/Kathmandu'],
  ])('describes %s in %s', (asked_at, time_zone, told) => {
    expect(describeNow({ asked_at, time_zone, time_zone_source: 'asker' })).toBe(`${told} (the asker's time zone)`)
  })

  it('says so if the zone is not the asker’s own', () => {
    const request = { asked_at: '2026-01-01T00:00:00.000Z', time_zone: 'UTC', time_zone_source: 'operator' } as const
    expect(describeNow(request)).toContain('(the time zone set by the operator)')
  })
})
