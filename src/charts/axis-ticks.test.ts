import { describe, expect, it } from '@jest/globals'
import { axisTicks } from './axis-ticks.ts'

const named = (labels: readonly string[], width: number) => {
  const ticks = axisTicks(labels, 14, width)
  return labels.filter((_, index) => ticks.isNamed(index)).map(ticks.name)
}
const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

describe('axisTicks', () => {
  it('labels every place while there is room, then at round steps', () => {
    const days = Array.from({ length: 30 }, (_, day) => `Nov ${day + 1}`)
    expect(named(days.slice(0, 5), 500)).toEqual(days.slice(0, 5))
    expect(named(days, 500)).toEqual(['Nov 1', 'Nov 6', 'Nov 11', 'Nov 16', 'Nov 21', 'Nov 26'])
    expect(
      named(
        Array.from({ length: 1_440 }, (_, minute) => clock(minute)),
        500,
      ),
    ).toContain('12:00')
  })

  it('labels days if the places are hours of several days', () => {
    const hours = Array.from({ length: 24 * 7 }, (_, hour) => `Nov ${10 + Math.floor(hour / 24)} ${clock((hour % 24) * 60)}`)
    expect(named(hours, 700)).toEqual(['Nov 10', 'Nov 11', 'Nov 12', 'Nov 13', 'Nov 14', 'Nov 15', 'Nov 16'])
    expect(named(hours, 400)).toEqual(['Nov 10', 'Nov 12', 'Nov 14', 'Nov 16'])
  })
})
