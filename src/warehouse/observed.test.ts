import { describe, expect, it } from '@jest/globals'
import type { Observation } from '../telemetry/observation.ts'
import { WarehouseError } from './error.ts'
import { observedGuard, observedRead } from './observed.ts'
import type { SqlGuard } from './sql-guard.ts'
import type { DataWarehouse } from './warehouse.ts'

const signal = new AbortController().signal

describe('a watched data source', () => {
  it('tells of a query its source, size and time', async () => {
    const { seen, watching } = watch([1_000, 1_250])
    const result = { columns: [], rows: [[1], [2]], truncated: false, elapsedMs: 3, queryId: 'q', rowsRead: 20, bytesRead: 160 }
    const read = observedRead({ read: async () => result } satisfies Pick<DataWarehouse, 'read'>, watching)
    expect(await read({ sql: 'SELECT 1' }, signal)).toBe(result)
    const told = { kind: 'query', source: 'crm', sql: 'SELECT 1', outcome: 'ok', rows: 2, rowsRead: 20, bytesRead: 160 }
    expect(seen).toEqual([{ ...told, durationMs: 250 }])
  })

  it('tells of a failed query the kind of the error', async () => {
    const { seen, watching } = watch([0, 0])
    const failing = async () => Promise.reject(new WarehouseError('too slow', { kind: 'timeout' }))
    await expect(observedRead({ read: failing }, watching)({ sql: 'SELECT 1' }, signal)).rejects.toThrow('too slow')
    expect(seen).toMatchObject([{ outcome: 'timeout', rows: 0 }])
  })

  it('tells nothing of a probe, which comes every few seconds', async () => {
    const { seen, watching } = watch([0, 0])
    const result = { columns: [], rows: [[1]], truncated: false, elapsedMs: 3, queryId: 'q', rowsRead: 1, bytesRead: 1 }
    const read = observedRead({ read: async () => result }, watching)
    expect(await read({ sql: 'SELECT 1', isProbe: true }, signal)).toBe(result)
    expect(seen).toEqual([])
  })

  it("tells the guard's verdict", async () => {
    const { seen, watching } = watch([])
    const guard: SqlGuard = { check: async () => ({ verdict: 'reject', code: 'function', message: 'no' }) }
    const scope = { database: 'default', tables: new Set<string>() }
    expect(await observedGuard(guard, watching).check('SELECT 1', scope, signal)).toMatchObject({ verdict: 'reject' })
    expect(seen).toEqual([{ kind: 'guard', source: 'crm', verdict: 'function' }])
  })
})

function watch(times: number[]) {
  const seen: Observation[] = []
  const observe = (observation: Observation) => void seen.push(observation)
  return { seen, watching: { source: 'crm', observe, now: () => times.shift() ?? 0 } }
}
