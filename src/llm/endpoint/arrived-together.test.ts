import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { breather } from '../../base/slices.ts'
import { arrivedTogether } from './arrived-together.ts'

/** On this clock no slice of time ends, however busy the machine is. */
const unhurried = () => breather(() => 0)

/** Yields the values of several lists. The values of one list come in the same turn of the event loop. */
async function* inTurns(...lists: readonly (readonly number[])[]): AsyncGenerator<number> {
  for (const list of lists) {
    await nextTurn()
    yield* list
  }
}

async function groupsOf(source: AsyncIterable<number>, read = (value: number) => [value]): Promise<(readonly number[])[]> {
  const groups: (readonly number[])[] = []
  for await (const group of arrivedTogether(source, read)) groups.push(group)
  return groups
}

describe('arrivedTogether', () => {
  it('groups values that arrive together, and waits for nothing else', async () => {
    let next = () => {}
    const later = new Promise<void>(resolve => {
      next = resolve
    })
    async function* source() {
      yield* inTurns([1, 2, 3])
      await later
      yield* inTurns([4, 5])
    }
    const groups = arrivedTogether(source(), value => [value], unhurried())
    expect(await groups.next()).toEqual({ done: false, value: [1, 2, 3] })
    next()
    expect(await groups.next()).toEqual({ done: false, value: [4, 5] })
    expect(await groups.next()).toEqual({ done: true, value: undefined })
  })

  it('loses nothing and keeps the order, however slow its reader is', async () => {
    const groups: number[] = []
    for await (const group of arrivedTogether(inTurns([1], [2, 3], [], [4]), value => (value === 3 ? [] : [value, 10 * value]))) {
      for (let turn = 0; turn < 5; turn += 1) await nextTurn()
      groups.push(...group)
    }
    expect(groups).toEqual([1, 10, 2, 20, 4, 40])
    expect(await groupsOf(inTurns())).toEqual([])
  })

  it('yields the values before a fault', async () => {
    function* read(value: number) {
      yield value
      if (value === 3) throw new Error('no number')
    }
    const groups: (readonly number[])[] = []
    const reading = async () => {
      for await (const group of arrivedTogether(inTurns([1, 2, 3, 4]), read, unhurried())) groups.push(group)
    }
    await expect(reading()).rejects.toThrow('no number')
    expect(groups).toEqual([[1, 2, 3]])
  })
})
