import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { throughBreaker, warehouseBreaker } from './breaker.ts'
import { WarehouseError, type WarehouseErrorKind } from './error.ts'
import type { QueryResult } from './warehouse.ts'

const { signal } = new AbortController()
const RESULT: QueryResult = { columns: [], rows: [], truncated: false, elapsedMs: 1, queryId: 'q', rowsRead: 0, bytesRead: 0 }
const START = Date.UTC(2026, 0, 1)

beforeEach(() => {
  jest.useFakeTimers({ now: START, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] })
})
afterEach(() => {
  jest.useRealTimers()
})

/** A source whose reads end as `answers` says, one after the other. */
function openSource(...answers: readonly (WarehouseErrorKind | 'rows' | 'busy' | 'limited')[]) {
  const breaker = warehouseBreaker('crm')
  let reads = 0
  const fail = async () => Promise.reject(new Error('is not called'))
  const { warehouse } = throughBreaker(breaker, {
    warehouse: {
      description: 'crm',
      read: async () => {
        const answer = answers[reads++] ?? 'unavailable'
        if (answer === 'rows') return RESULT
        if (answer === 'busy') throw new WarehouseError('Too many queries.', { kind: 'unavailable', serverCode: 202 })
        if (answer === 'limited') throw new WarehouseError('HTTP status 429.', { kind: 'unavailable', isBusy: true })
        throw new WarehouseError(`It is ${answer}.`, { kind: answer })
      },
    },
    guard: { check: fail },
    schemaSource: { load: fail, refresh: fail },
  })
  const read = async () =>
    warehouse.read({ sql: 'SELECT 1' }, signal).then(
      () => 'rows',
      (error: WarehouseError) => `${error.kind}: ${error.message}`,
    )
  const readAll = async (count: number) => {
    for (let at = 0; at < count; at++) await read()
  }
  return { breaker, read, readAll, reads: () => reads }
}
const AWAY = 'unavailable: The data source crm cannot be reached. Clew asks it again 30 seconds after it last failed.'

describe('warehouseBreaker', () => {
  it('fails at once after five failed connections in a row', async () => {
    const { breaker, read, readAll, reads } = openSource()
    await readAll(4)
    expect([breaker.state, await read(), breaker.state]).toEqual(['closed', 'unavailable: It is unavailable.', 'open'])
    expect([await read(), reads()]).toEqual([AWAY, 5])
  })

  it.each(['rows', 'timeout', 'denied', 'syntax', 'busy', 'limited'] as const)(
    'counts anew after an answer (%s)',
    async answer => {
      const { breaker, readAll } = openSource(...(['unavailable', 'unavailable', 'unavailable', 'unavailable'] as const), answer)
      await readAll(9)
      expect(breaker.state).toBe('closed')
      await readAll(1)
      expect(breaker.state).toBe('open')
    },
  )

  it('does not count cancelled queries', async () => {
    const { breaker, readAll } = openSource('unavailable', 'unavailable', 'cancelled', 'unavailable', 'unavailable')
    await readAll(5)
    expect(breaker.state).toBe('closed')
    await readAll(1)
    expect(breaker.state).toBe('open')
  })

  it('tries again after 30 seconds, and closes if the source answers', async () => {
    const { breaker, read, readAll, reads } = openSource(
      ...Array.from({ length: 5 }, () => 'unavailable' as const),
      'rows',
      'rows',
    )
    await readAll(5)
    jest.setSystemTime(START + 29_999)
    expect(await read()).toBe(AWAY)
    jest.setSystemTime(START + 30_000)
    const trial = read()
    expect([breaker.state, await read()]).toEqual(['half_open', AWAY])
    expect([await trial, breaker.state, await read(), reads()]).toEqual(['rows', 'closed', 'rows', 7])
  })

  it('stays open for another 30 seconds if the trial fails', async () => {
    const { read, readAll, reads } = openSource()
    await readAll(5)
    jest.setSystemTime(START + 30_000)
    expect(await read()).toBe('unavailable: It is unavailable.')
    jest.setSystemTime(START + 59_999)
    expect([await read(), reads()]).toEqual([AWAY, 6])
  })

  it('opens again at the first failure after a cancelled trial', async () => {
    const { breaker, read, readAll } = openSource(...Array.from({ length: 5 }, () => 'unavailable' as const), 'cancelled')
    await readAll(5)
    jest.setSystemTime(START + 30_000)
    expect(await read()).toBe('cancelled: It is cancelled.')
    await read()
    expect(breaker.state).toBe('open')
  })

  it('passes on errors that are no errors of a source', async () => {
    const breaker = warehouseBreaker('crm')
    await expect(breaker.run(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow(TypeError)
  })
})
