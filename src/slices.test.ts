import { describe, expect, it } from '@jest/globals'
import { atOnce, breather, inSlices } from './slices.ts'

function* count(parts: number, onPart: () => void): Generator<void, string> {
  for (let part = 0; part < parts; part++) {
    onPart()
    yield
  }
  return 'done'
}

describe('inSlices', () => {
  it('lets others have a turn after each slice of work, and not after each part', async () => {
    let clock = 0
    let turns = 0
    let isDone = false
    const others = () => {
      turns++
      if (!isDone) setImmediate(others)
    }
    setImmediate(others)
    const work = count(100, () => {
      clock += 1
    })
    expect(
      await inSlices(
        work,
        breather(() => clock),
      ),
    ).toBe('done')
    isDone = true
    expect(turns).toBeGreaterThanOrEqual(9)
    expect(turns).toBeLessThanOrEqual(20)
  })

  it('ends a short work within its turn', async () => {
    let isTurnOver = false
    setImmediate(() => {
      isTurnOver = true
    })
    await inSlices(
      count(100, () => undefined),
      breather(() => 0),
    )
    expect(isTurnOver).toBe(false)
  })

  it('hands on what the work throws', async () => {
    const broken = () => {
      throw new RangeError('broken')
    }
    await expect(inSlices(count(1, broken))).rejects.toThrow(RangeError)
    expect(() => atOnce(count(1, broken))).toThrow(RangeError)
  })
})
