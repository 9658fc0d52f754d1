import { describe, expect, it } from '@jest/globals'
import { atOnce } from './at-once.ts'
import { afterOthersTurn, breather, inSlices } from './slices.ts'
import { asRun } from './watched-work.ts'

function* count(parts: number, onPart: () => void): Generator<void, string> {
  for (let part = 0; part < parts; part++) {
    onPart()
    yield
  }
  return 'done'
}

describe('inSlices', () => {
  it('yields to others after each slice of work, but not after each part', async () => {
    let clock = 0
    let turns = 0
    let isDone = false
    const others = () => {
      turns++
      if (!isDone) setImmediate(others)
    }
    setImmediate(others)
    const work = count(100, () => {
      clock += 0.25
    })
    expect(
      await inSlices(
        work,
        breather(() => clock),
      ),
    ).toBe('done')
    isDone = true
    expect(turns).toBeGreaterThanOrEqual(20)
    expect(turns).toBeLessThanOrEqual(50)
  })

  it('completes short work in one turn', async () => {
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

  it("passes on the work's error", async () => {
    const broken = () => {
      throw new RangeError('broken')
    }
    await expect(inSlices(count(1, broken))).rejects.toThrow(RangeError)
    expect(() => atOnce(count(1, broken))).toThrow(RangeError)
  })
})

function work(milliseconds: number): void {
  const began = performance.now()
  while (performance.now() - began < milliseconds);
}

describe('afterOthersTurn', () => {
  it('resumes concurrent waiters in order, and lets others run after each slice', async () => {
    const done: number[] = []
    const seen: number[] = []
    const others = () => {
      seen.push(done.length)
      if (done.length < 20) setImmediate(others)
    }
    setImmediate(others)

    await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        await afterOthersTurn()
        work(2)
        await Promise.resolve()
        work(2)
        done.push(at)
      }),
    )

    expect(done).toEqual(Array.from({ length: 20 }, (_, at) => at))
    // Each caller works for 4 ms, which is longer than a slice (1 ms).
    const gaps = seen.map((count, at) => count - (seen[at - 1] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1)
  })

  it('completes the short work of many waiters in one turn', async () => {
    let turns = 0
    let isOver = false
    const others = () => {
      turns++
      if (!isOver) setImmediate(others)
    }
    setImmediate(others)

    await Promise.all(Array.from({ length: 50 }, () => afterOthersTurn()))
    isOver = true

    expect(turns).toBeLessThan(10)
  })

  it('gives turns to people, whatever the number of their runs', async () => {
    // A busy machine may stretch a piece of work, so the times are compared, and not the numbers of turns.
    const turns: { person: string; ms: number }[] = []
    const isOver = () => turns.filter(({ person }) => person === 'bob').length >= 5
    const runOf = (person: string) =>
      asRun({ id: person, person }, async () => {
        while (!isOver()) {
          await afterOthersTurn()
          const began = performance.now()
          work(10)
          turns.push({ person, ms: performance.now() - began })
        }
      })

    await Promise.all([...Array.from({ length: 20 }, () => runOf('alice')), runOf('bob')])

    const untilOver = turns.slice(0, turns.findLastIndex(({ person }) => person === 'bob') + 1)
    const used = (of: string) => untilOver.reduce((sum, { person, ms }) => sum + (person === of ? ms : 0), 0)
    const longest = Math.max(...untilOver.map(({ ms }) => ms))
    expect(used('alice')).toBeLessThanOrEqual(used('bob') + 2 * longest)
  })

  it("finishes a person's oldest run first", async () => {
    const ended: number[] = []
    await Promise.all(
      [1, 2, 3].map(run =>
        asRun({ id: `${run}`, person: 'one' }, async () => {
          for (let part = 0; part < 10; part++) {
            await afterOthersTurn()
            work(2)
          }
          ended.push(run)
        }),
      ),
    )
    expect(ended).toEqual([1, 2, 3])
  })
})
