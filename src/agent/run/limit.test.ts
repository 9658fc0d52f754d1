import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { createGate } from '../../../test/emulators/gate.ts'
import { RunLimit } from './limit.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

describe('the time limit of a run', () => {
  it('ends the run', () => {
    const limit = new RunLimit(1_000)
    jest.advanceTimersByTime(999)
    expect(limit.signal.aborted).toBe(false)
    jest.advanceTimersByTime(1)
    expect(limit.signal.reason).toMatchObject({ code: 'run_timeout' })
  })

  it('stops its clock while one or more questions wait for a person', async () => {
    const limit = new RunLimit(1_000)
    const [first, second] = [createGate(), createGate()]
    jest.advanceTimersByTime(600)
    const answers = [limit.standStillFor(first.opened), limit.standStillFor(second.opened)]
    jest.advanceTimersByTime(5_000)
    expect(limit.spentMs).toBe(600)
    first.open()
    await answers[0]
    jest.advanceTimersByTime(5_000)
    expect(limit.signal.aborted).toBe(false)
    second.open()
    await answers[1]
    jest.advanceTimersByTime(399)
    expect(limit.spentMs).toBe(999)
    expect(limit.signal.aborted).toBe(false)
    jest.advanceTimersByTime(1)
    expect(limit.signal.aborted).toBe(true)
  })

  it('ends with its run, even while a person still thinks', async () => {
    const limit = new RunLimit(1_000)
    const thinking = createGate()
    const answer = limit.standStillFor(thinking.opened)
    limit.close()
    thinking.open()
    await answer
    jest.advanceTimersByTime(5_000)
    expect(limit.signal.aborted).toBe(false)
  })
})
