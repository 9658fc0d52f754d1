import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { runRecord } from '../../../test/support/presses.ts'
import { queryReport } from '../../../test/support/query-report.ts'
import { SIZES } from '../../base/sizes.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import { RunRecords } from './run-record.ts'

const signal = new AbortController().signal

describe('the record of an answer', () => {
  it('returns all rows exactly, until it expires', async () => {
    let now = 0
    const store = createMemoryStateStore({ now: () => now })
    const records = new RunRecords({ store, retentionSeconds: 60 })
    const rows = [
      ['18446744073709551615', null, ['é', { a: -0.5 }]],
      ...Array.from({ length: 5_000 }, (_, row) => [row, 'x', []]),
    ]
    const full = queryReport({ columns: [{ name: 'n', type: 'UInt64' }], rows })
    const empty = queryReport({ id: 'Q2' })
    await records.save(runRecord(), [full, empty], signal)
    const record = await records.load('run_1', signal)
    expect(record).toMatchObject({ ...runRecord(), queries: [{ id: 'Q1', row_count: 5_001 }, { id: 'Q2' }] })
    expect(JSON.stringify(record)).not.toContain('18446744073709551615')
    const [first, second] = record?.queries ?? []
    if (first === undefined || second === undefined) throw new Error('the queries are not there')
    expect(await records.rows('run_1', first, signal)).toEqual(rows)
    expect(await records.rows('run_1', second, signal)).toEqual([])
    now = 60_000
    expect(await records.load('run_1', signal)).toBeUndefined()
    expect(await records.rows('run_1', first, signal)).toBeUndefined()
  })

  it("that would unpack to more than a record's limit counts as expired, and is not stored", async () => {
    const store = createMemoryStateStore({ now: () => 0 })
    const records = new RunRecords({ store, retentionSeconds: 60 })
    const padded = (blanks: number) => gzipSync(`${JSON.stringify(runRecord())}${' '.repeat(blanks)}`).toString('base64')
    const kept = (packed: string) => new RunRecords({ store: { ...store, get: async () => packed }, retentionSeconds: 60 })
    expect(await kept(padded(1)).load('run_1', signal)).toBeDefined()
    expect(await kept(padded(SIZES.recordBytes)).load('run_1', signal)).toBeUndefined()
    const query = queryReport({ rows: Array.from({ length: 100 }, () => ['x'.repeat(1_000_000)]) })
    await records.save(runRecord(), [query], signal)
    expect(await records.rows('run_1', query, signal)).toBeUndefined()
  })

  it('of another version counts as expired', async () => {
    const store = createMemoryStateStore({ now: () => 0 })
    const records = new RunRecords({ store, retentionSeconds: 60 })
    await records.save({ ...runRecord(), markdown: 7 as unknown as string }, [], signal)
    expect(await records.load('run_1', signal)).toBeUndefined()
  })
})
