import { describe, expect, it } from '@jest/globals'
import { HOUR_MS } from '../base/durations.ts'
import { type AlertWord, moveAlert } from './alert.ts'
import { SUBSCRIPTION_LIMITS } from './limits.ts'
import { type Alert, QUIET } from './subscription.ts'

/** Moves an alert hour by hour by its firing rows. A word of a person changes its state instead. Returns what it says. */
function words(steps: readonly (string | { readonly state: Alert['state'] })[], isEvent = false): readonly AlertWord[] {
  let alert = QUIET
  return steps.flatMap((step, hour) => {
    if (typeof step !== 'string') {
      alert = { ...alert, ...step, toldAt: hour * HOUR_MS }
      return []
    }
    const firing = [...step]
    const moved = moveAlert(alert, { firing, holding: firing, isEvent }, hour * HOUR_MS)
    alert = moved.alert
    return [moved.word]
  })
}

describe('an alert', () => {
  it('opens once, tells of what joins, and resolves when nothing holds', () => {
    expect(words(['', 'A', 'A', 'AB', 'B', 'B', '', ''])).toEqual([null, 'opened', null, 'more', null, null, 'resolved', null])
  })

  it('says once a day that it is still open', () => {
    const said = words(Array.from({ length: 60 }, () => 'A'))
    expect(said.flatMap((word, hour) => (word === null ? [] : [[hour, word]]))).toEqual([
      [0, 'opened'],
      [24, 'stillOpen'],
      [48, 'stillOpen'],
    ])
  })

  it('stays quiet once it is acknowledged, but tells of what joins, and of its end', () => {
    const day = Array.from({ length: 30 }, () => 'A')
    expect(words(['A', { state: 'acknowledged' }, ...day]).filter(word => word !== null)).toEqual(['opened'])
    expect(words(['A', { state: 'acknowledged' }, 'A', 'AB', ''])).toEqual(['opened', null, 'more', 'resolved'])
  })

  it('stays quiet for a day once it is snoozed, but tells of its end', () => {
    const day = Array.from({ length: 23 }, () => 'AB')
    expect(words(['A', { state: 'snoozed' }, ...day, 'AB'])).toEqual(['opened', ...day.map(() => null), 'more'])
    expect(words(['A', { state: 'snoozed' }, 'A', ''])).toEqual(['opened', null, 'resolved'])
  })

  it('stays open as long as a row that it told of holds, even if not for long enough again', () => {
    const opened = moveAlert(QUIET, { firing: ['A'], holding: ['A'], isEvent: false }, 0).alert
    expect(moveAlert(opened, { firing: [], holding: ['A'], isEvent: false }, 1).word).toBeNull()
    expect(moveAlert(opened, { firing: [], holding: ['B'], isEvent: false }, 1).word).toBe('resolved')
  })

  it('that stays open for long remembers what holds, and the latest of what holds no longer', () => {
    let alert = QUIET
    for (let run = 0; run < 50; run += 1) {
      const firing = ['A', ...Array.from({ length: 100 }, (_, at) => `${run}.${at}`)]
      const moved = moveAlert(alert, { firing, holding: firing, isEvent: false }, run)
      expect(moved.word).toBe(run === 0 ? 'opened' : 'more')
      alert = moved.alert
    }
    expect(alert.keys).toEqual(expect.arrayContaining(['A', '49.99', '40.0']))
    expect(alert.keys).toHaveLength(SUBSCRIPTION_LIMITS.goneRows + 101)
  })

  it('tells each change as one', () => {
    expect(words(['A', 'A', ''], true)).toEqual(['opened', 'opened', null])
  })
})
