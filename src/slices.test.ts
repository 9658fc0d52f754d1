import { describe, expect, it } from '@jest/globals'
import { atOnce, breather, inSlices, nextTurn } from './slices.ts'

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

/** Keeps the process for so long, as work does. */
function work(milliseconds: number): void {
  const began = performance.now()
  while (performance.now() - began < milliseconds);
}

describe('nextTurn', () => {
  it('lets go on many that wait at the same moment in their order, and others between them after each slice', async () => {
    const done: number[] = []
    const seen: number[] = []
    const others = () => {
      seen.push(done.length)
      if (done.length < 20) setImmediate(others)
    }
    setImmediate(others)

    await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        await nextTurn()
        work(2)
        await Promise.resolve()
        work(2)
        done.push(at)
      }),
    )

    expect(done).toEqual(Array.from({ length: 20 }, (_, at) => at))
    // A slice is 10 ms: three of them, at most, before the others have their turn.
    const gaps = seen.map((count, at) => count - (seen[at - 1] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(3)
  })

  it('does the short work of many within one turn', async () => {
    let turns = 0
    let isOver = false
    const others = () => {
      turns++
      if (!isOver) setImmediate(others)
    }
    setImmediate(others)

    await Promise.all(Array.from({ length: 50 }, () => nextTurn()))
    isOver = true

    expect(turns).toBeLessThan(10)
  })
})
