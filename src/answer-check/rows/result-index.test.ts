import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { indexResults } from './result-index.ts'

describe('indexResults', () => {
  it('indexes a large result in small steps', () => {
    const rows = Array.from({ length: 2_000 }, (_, row) => [`site ${row}`, `city:${row % 7}`, row])
    const columns = [
      { name: 'site', type: 'String' },
      { name: 'city', type: 'LowCardinality(String)' },
      { name: 'visits', type: 'UInt64' },
    ]
    const work = indexResults([queryReport({ id: 'Q1', columns, rows }), queryReport({ id: 'Q2', error: 'it failed' })])
    let parts = 0
    let step = work.next()
    for (; step.done !== true; step = work.next()) parts++
    expect(parts).toBeGreaterThan(40)
    expect([...step.value.keys()]).toEqual(['Q1'])
    expect(step.value.get('Q1')?.entities.get('site 1999')?.rows).toEqual([1999])
    expect(step.value.get('Q1')?.numbers.map(({ name }) => name)).toEqual(['visits'])
  })
})
