import { describe, expect, it } from '@jest/globals'
import { createGate } from '../../test/emulators/gate.ts'
import { KeyedSequence } from './keyed-sequence.ts'

describe('KeyedSequence', () => {
  it('runs one key in the order of its calls despite failures, and other keys in parallel', async () => {
    const sequence = new KeyedSequence()
    const order: string[] = []
    let release = () => {}
    const gate = new Promise<void>(resolve => {
      release = resolve
    })
    const first = sequence.run('a', async () => {
      await gate
      order.push('a1')
      throw new Error('a1 failed')
    })
    const second = sequence.run('a', async () => order.push('a2'))
    await sequence.run('b', async () => order.push('b1'))
    release()
    await expect(first).rejects.toThrow('a1 failed')
    await second
    expect(order).toEqual(['b1', 'a1', 'a2'])
  })

  it('runs as much work of one key in parallel as it may', async () => {
    const sequence = new KeyedSequence(2)
    const { gates, begun, all } = runGated(sequence)
    expect(begun).toEqual([0, 1])
    gates[1]?.open()
    await all[1]
    expect(begun).toEqual([0, 1, 2])
    for (const gate of gates) gate.open()
    await Promise.all(all)
  })
})

/** Runs three pieces of work with the key "a". Each waits for its gate. `begun` lists the pieces that have begun. */
function runGated(sequence: KeyedSequence) {
  const gates = [createGate(), createGate(), createGate()]
  const begun: number[] = []
  const all = gates.map(({ opened }, index) =>
    sequence.run('a', async () => {
      begun.push(index)
      await opened
    }),
  )
  return { gates, begun, all }
}
