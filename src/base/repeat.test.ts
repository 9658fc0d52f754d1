import { expect, it } from '@jest/globals'
import { repeat } from './repeat.ts'

it('does its work again after a failure, which it tells, until it is stopped', async () => {
  const stopping = new AbortController()
  const told: unknown[] = []
  let times = 0
  const work = async (signal: AbortSignal) => {
    times += 1
    if (times === 3) stopping.abort()
    throw new Error(`${times}, ${signal.aborted ? 'stopped' : 'goes on'}`)
  }
  await repeat(work, { everyMs: 1, onError: error => told.push(error) }, stopping.signal)
  expect(times).toBe(3)
  expect(told).toEqual([new Error('1, goes on'), new Error('2, goes on')])
})

it('ends at once if it is stopped in a pause', async () => {
  const stopping = new AbortController()
  let times = 0
  const work = async () => {
    times += 1
  }
  const repeating = repeat(work, { everyMs: 3_600_000, onError: () => undefined }, stopping.signal)
  stopping.abort()
  await repeating
  expect(times).toBe(0)
})
