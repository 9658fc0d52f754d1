import { expect, it } from '@jest/globals'
import type { ColumnLineage } from '../../warehouse/column-lineage.ts'
import { readFacet, writeFacet } from './column-lineage-facet.ts'

const LINEAGE: ColumnLineage = {
  fields: [
    { column: 'id', inputs: [{ table: 'shop.orders', column: 'id', transformations: ['IDENTITY'] }] },
    { column: 'it\'s "so"', inputs: [] },
    { column: 'total', inputs: [{ table: 'shop.orders', column: 'amount', transformations: ['AGGREGATION', 'WINDOW'] }] },
  ],
  dataset: [{ table: 'shop.orders', column: 'day', transformations: ['FILTER'] }],
}

it("column lineage is written in OpenLineage's form, and read again", () => {
  const text = writeFacet(LINEAGE)
  expect(JSON.parse(text)).toMatchObject({
    fields: {
      total: {
        inputFields: [
          {
            namespace: 'clickhouse',
            name: 'shop.orders',
            field: 'amount',
            transformations: [
              { type: 'DIRECT', subtype: 'AGGREGATION' },
              { type: 'INDIRECT', subtype: 'WINDOW' },
            ],
          },
        ],
      },
    },
  })
  expect(readFacet(text)).toEqual(LINEAGE)
})

it('another runner may omit optional parts, and use its own words', () => {
  const field = (rest: object) => ({
    inputFields: [{ namespace: 'clickhouse://host:8123', name: 'shop.orders', field: 'a', ...rest }],
  })
  const facet = {
    _producer: 'https://example.org',
    fields: {
      plain: field({}),
      masked: field({ transformations: [{ type: 'DIRECT', subtype: 'MASKED', masking: true }] }),
      decided: field({ transformations: [{ type: 'INDIRECT' }] }),
    },
  }
  const found = readFacet(JSON.stringify(facet))
  expect(found?.fields.map(({ column, inputs }) => [column, inputs[0]?.transformations])).toEqual([
    ['plain', ['TRANSFORMATION']],
    ['masked', ['TRANSFORMATION']],
    ['decided', ['CONDITIONAL']],
  ])
  expect(found?.dataset).toEqual([])
})

it.each(['', 'no JSON', '[]', '{"fields":{"a":{}}}', '{"fields":{"a":{"inputFields":[{"name":1}]}}}'])(
  'anything but such a facet counts as unknown: %s',
  text => {
    expect(readFacet(text)).toBeUndefined()
  },
)

it('a facet with too many columns is not written', () => {
  const fields = Array.from({ length: 5_000 }, (_, index) => ({ column: `c${index}`, inputs: LINEAGE.dataset }))
  expect(writeFacet({ fields, dataset: [] })).toBe('')
})
