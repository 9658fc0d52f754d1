import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { entitiesShown } from './entities-shown.ts'

const metros = queryReport({
  columns: [
    { name: 'metro', type: 'LowCardinality(String)' },
    { name: 'devices', type: 'UInt64' },
  ],
  rows: [
    ['ams', '3'],
    ['fra', '2'],
    ['nyc', '1'],
  ],
})

describe('entitiesShown', () => {
  it('contains exactly the names in the answer', () => {
    expect(entitiesShown('Most are in ams (3) and fra (2) [Q1].', [metros])).toEqual([
      { column: 'metro', values: ['ams', 'fra'] },
    ])
  })
  it('does not take part of a word for a name', () => {
    expect(entitiesShown('The amsterdam office has nycX.', [metros])).toEqual([])
  })
})
