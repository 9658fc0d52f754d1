import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { WarehouseError } from './error.ts'
import { readWithin } from './read-within.ts'
import type { QueryResult, ReadQuery } from './warehouse.ts'

const RESULT: QueryResult = {
  columns: [],
  rows: [],
  truncated: false,
  elapsedMs: 1,
  queryId: 'q',
  rowsRead: 0,
  bytesRead: 0,
}
const never = new AbortController().signal

/** Returns a read under the test's control: the test decides when it is sent and when it is answered. */
function heldRead(signal = never, call = () => {}) {
  let sent = () => {}
  let answer = (_: QueryResult) => {}
  const read = ({ onSent }: ReadQuery, ended: AbortSignal) =>
    new Promise<QueryResult>((resolve, reject) => {
      sent = () => onSent?.()
      answer = resolve
      ended.addEventListener('abort', () => reject(new WarehouseError('cancelled', { kind: 'cancelled' })))
    })
  return {
    result: readWithin({ read }, { sql: 'SELECT 1', limitMs: 50, slow: { afterMs: 20, call } }, signal),
    sent: () => sent(),
    answer: () => answer(RESULT),
  }
}

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

describe('readWithin', () => {
  it('does not count the time in the queue', async () => {
    const held = heldRead()
    await jest.advanceTimersByTimeAsync(60_000)
    held.sent()
    held.answer()
    expect(await held.result).toBe(RESULT)
    expect(jest.getTimerCount()).toBe(0)
  })

  it('ends a statement that takes too long once sent', async () => {
    const held = heldRead()
    held.sent()
    await jest.advanceTimersByTimeAsync(50)
    expect(await held.result).toBeUndefined()
  })

  it('reports a slow read once, and a fast one never', async () => {
    const call = jest.fn()
    const quick = heldRead(never, call)
    quick.sent()
    await jest.advanceTimersByTimeAsync(19)
    quick.answer()
    await quick.result
    await jest.advanceTimersByTimeAsync(60_000)
    expect(call).not.toHaveBeenCalled()
    const slow = heldRead(never, call)
    slow.sent()
    await jest.advanceTimersByTimeAsync(49)
    slow.answer()
    expect(await slow.result).toBe(RESULT)
    expect(call).toHaveBeenCalledTimes(1)
  })

  it('throws if the caller cancels while it waits', async () => {
    const givenUp = new AbortController()
    const held = heldRead(givenUp.signal)
    givenUp.abort()
    await expect(held.result).rejects.toMatchObject({ kind: 'cancelled' })
  })
})
