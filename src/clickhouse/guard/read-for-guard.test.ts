import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { WarehouseError } from '../../warehouse/error.ts'
import type { QueryResult, Warehouse } from '../../warehouse/warehouse.ts'
import { GUARD_LIMITS } from '../limits.ts'
import { EngineSqlGuard } from './engine-sql-guard.ts'
import { readForGuard } from './read-for-guard.ts'

const RESULT: QueryResult = {
  columns: [{ name: 'x', type: 'String' }],
  rows: [['SELECT 1']],
  truncated: false,
  elapsedMs: 1,
  queryId: 'q',
  rowsRead: 0,
  bytesRead: 0,
}
const SCOPE = { database: 'default', tables: new Set<string>() }
const unanswered = new WarehouseError('The query took longer than the 5 s that it may take, and was ended.', { kind: 'timeout' })
const tooSlow = new WarehouseError('Timeout exceeded', { kind: 'timeout', serverCode: 159 })

/** Returns a warehouse that fails its first reads with these errors, in order. Later reads succeed. */
function failingWith(...errors: readonly Error[]): { readonly warehouse: Warehouse; readonly asked: () => number } {
  let asked = 0
  const unused = () => Promise.reject(new Error('not asked for'))
  const warehouse = {
    description: 'a busy server',
    async read(_query, signal) {
      signal.throwIfAborted()
      const error = errors[asked++]
      if (error !== undefined) throw error
      return RESULT
    },
    readOwn: unused,
    write: unused,
    close: async () => {},
  } satisfies Warehouse
  return { warehouse, asked: () => asked }
}

const tries = 1 + GUARD_LIMITS.retry.attempts

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

describe('readForGuard', () => {
  it('repeats a read after a timeout and a pause', async () => {
    const { warehouse, asked } = failingWith(unanswered)
    const read = readForGuard(warehouse, { sql: 'SELECT 1' }, new AbortController().signal)
    await jest.advanceTimersByTimeAsync(0)
    expect(asked()).toBe(1)
    await jest.advanceTimersByTimeAsync(60_000)
    expect(await read).toBe(RESULT)
    expect(asked()).toBe(2)
  })

  it('reports a busy warehouse after the last timeout, not a query that is too large', async () => {
    const { warehouse, asked } = failingWith(...Array.from({ length: tries }, () => unanswered))
    const check = new EngineSqlGuard({ warehouse }).check('SELECT 1', SCOPE, new AbortController().signal)
    const failed = expect(check).rejects.toMatchObject({ kind: 'unavailable', cause: unanswered })
    await jest.advanceTimersByTimeAsync(60_000)
    await failed
    expect(asked()).toBe(tries)
  })

  it('refuses at once if the server says that the query takes too long', async () => {
    const { warehouse, asked } = failingWith(tooSlow)
    const verdict = await new EngineSqlGuard({ warehouse }).check('SELECT 1', SCOPE, new AbortController().signal)
    expect(verdict).toMatchObject({ verdict: 'reject', code: 'too_long' })
    expect(asked()).toBe(1)
  })

  it('stops once it is cancelled', async () => {
    const { warehouse, asked } = failingWith(...Array.from({ length: tries }, () => unanswered))
    const cancelled = new AbortController()
    const read = readForGuard(warehouse, { sql: 'SELECT 1' }, cancelled.signal)
    const failed = expect(read).rejects.toMatchObject({ kind: 'cancelled' })
    await jest.advanceTimersByTimeAsync(0)
    cancelled.abort()
    await jest.advanceTimersByTimeAsync(60_000)
    await failed
    expect(asked()).toBe(1)
  })
})
