import { describe, expect, it } from '@jest/globals'
import { numberRange, roughCount, roughShare, timeRange } from './rough-numbers.ts'

describe('rough numbers', () => {
  it.each([
    [0, '0'],
    [19, '19'],
    [347, 'about 350'],
    [9_949, 'about 9,900'],
    [999_999, 'about 1 million'],
    [1_234_567, 'about 1.2 million'],
    [123_456_789, 'about 120 million'],
    [2_000_000_001, 'about 2 billion'],
  ])('write %d as %s', (count, expected) => {
    expect(roughCount(count)).toBe(expected)
  })

  it('never show 0 % or 100 % for a share in between', () => {
    expect([0.0001, 0.2, 0.999, 1].map(share => roughShare(share))).toEqual(['under 1 %', '20 %', 'over 99 %', 'always'])
  })

  it('keep whole numbers exact and fractions short', () => {
    expect(numberRange('-18446744073709551615', '7')).toBe('-18446744073709551615 to 7')
    expect(numberRange('0.00123456', '565558.5714')).toBe('0.00123 to 565559')
    expect(numberRange('3', '3')).toBe('always 3')
    expect(numberRange('nan', 'inf')).toBe('nan to inf')
  })

  it('write times to the day if that distinguishes them', () => {
    expect(timeRange('2026-01-01 00:00:00', '2026-04-03 14:13:18')).toBe('2026-01-01 to 2026-04-03')
    expect(timeRange('2026-01-01 00:00:00.123', '2026-01-02 14:13:18.456')).toBe('2026-01-01 00:00 to 2026-01-02 14:13')
    expect(timeRange('2026-01-01', '2026-01-02')).toBe('2026-01-01 to 2026-01-02')
  })
})
