import { describe, expect, it } from '@jest/globals'
import { BASE_LIMITS } from './limits.ts'
import { LoopTurns } from './loop-turns.ts'

/** Lets the callers go on, each for its time, until `most` turns are over. Every caller waits again at once. */
function turnsOf(
  callers: readonly { person: string; run: number; ms: number }[],
  most: number,
  turns = new LoopTurns(),
): string[] {
  const seen: string[] = []
  const wait = (caller: (typeof callers)[number]) => {
    turns.add(caller.person, caller.run, () => {
      seen.push(`${caller.person}${caller.run}`)
      turns.use(caller.person, caller.ms)
      wait(caller)
    })
  }
  callers.forEach(wait)
  while (seen.length < most) turns.next()?.goOn()
  return seen
}

describe('LoopTurns', () => {
  it('gives people equal time, not equal turns', () => {
    const heavy = ['a', 'b', 'c', 'd'].map(person => ({ person, run: 1, ms: 8 }))
    const seen = turnsOf([...heavy, { person: 'light', run: 2, ms: 1 }], 120)
    expect(seen.filter(caller => caller === 'light2').length).toBeGreaterThan(70)
    for (const { person } of heavy) expect(seen.filter(caller => caller === `${person}1`).length).toBeGreaterThan(5)
  })

  it("gives a person's turns to the oldest run", () => {
    const seen = turnsOf(
      [3, 1, 2].map(run => ({ person: 'a', run, ms: 1 })),
      10,
    )
    expect(new Set(seen)).toEqual(new Set(['a1']))
  })

  it('gives turns to people who use nothing one after the other', () => {
    expect(
      turnsOf(
        ['a', 'b', 'c'].map(person => ({ person, run: 1, ms: 0 })),
        6,
      ),
    ).toEqual(['a1', 'b1', 'c1', 'a1', 'b1', 'c1'])
  })

  it('forgets in time what a person has used', () => {
    let now = 0
    const turns = new LoopTurns(() => now)
    const next = () => {
      for (const person of ['once heavy', 'lately heavy']) turns.add(person, 1, () => undefined)
      const first = turns.next()?.person
      turns.next()
      return first
    }
    turns.use('once heavy', 1000)
    expect(next()).toBe('lately heavy')
    for (let halvings = 0; halvings < 5; halvings++) {
      now += BASE_LIMITS.usedHalfLifeMs
      next()
    }
    turns.use('lately heavy', 100)
    expect(next()).toBe('once heavy')
  })
})
