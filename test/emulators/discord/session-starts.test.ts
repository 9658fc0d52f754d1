import { describe, expect, it } from '@jest/globals'
import { EmulatorClock } from '../slack/emulator-clock.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import { SessionStarts } from './session-starts.ts'

describe('session starts', () => {
  it('allow a thousand a day, and one in 5 s', () => {
    const clock = new EmulatorClock('stopped')
    const starts = new SessionStarts(clock)
    const { total } = DISCORD_LIMITS.sessionStarts
    for (let count = 0; count < total; count += 1) {
      expect(starts.count(0)).toBe('counted')
      clock.advance(DISCORD_LIMITS.identify.windowMs)
    }
    expect(starts.limit()).toMatchObject({ remaining: 0 })
    expect(starts.count(0)).toBe('too_many')
    expect(starts.count(0)).toBe('too_soon')
    clock.advance(DISCORD_LIMITS.sessionStarts.windowMs)
    expect(starts.count(0)).toBe('counted')
  })
})
