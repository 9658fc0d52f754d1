import { describe, expect, it } from '@jest/globals'
import { columnOf, schemaOf, tableOf } from '../../test/support/schema-fixture.ts'
import { renderSchema } from '../warehouse/catalog/schema-prompt.ts'
import { contextCosts, readContextParts, withholding } from './context-parts.ts'

const seen = { distinct: 2, nullShare: 0, min: null, max: null, samples: [], rowsScanned: 100, exact: true }
const schema = schemaOf(
  tableOf('customers', {
    comment: 'Who bought',
    rows: 100,
    engine: 'ReplacingMergeTree',
    sortingKey: 'id',
    columns: [
      columnOf('id', 'UInt64'),
      columnOf('city', 'String', { statistics: { ...seen, samples: ['Oslo', 'Bergen'] } }),
      columnOf('joined', 'Date', { statistics: { ...seen, min: '2020-01-01', max: '2026-01-01', rangeExact: true } }),
    ],
  }),
  tableOf('orders', {
    columns: [columnOf('customer_id', 'UInt64')],
    overlaps: [
      { columns: ['customer_id'], table: { database: 'shop', name: 'customers' }, tableColumns: ['id'], values: 50, found: 48 },
    ],
  }),
  tableOf('paid', {
    engine: 'View',
    rows: null,
    viewDefinition: 'SELECT customer_id FROM shop.orders',
    columns: [columnOf('customer_id', 'UInt64')],
  }),
)

/** A text for each part of the context. No other part puts this text into the prompt. */
const TOLD = {
  types: 'id UInt64',
  comments: '"Who bought"',
  samples: "values: 'Bergen', 'Oslo'",
  ranges: '2020-01-01 to 2026-01-01',
  row_counts: 'about 100 rows',
  keys: 'ORDER BY (id)',
  views: 'AS SELECT customer_id',
  joins: '→ customers.id (96 %)',
  engine_notes: 'read with FINAL',
}

describe('the parts of the context', () => {
  it.each(Object.entries(TOLD))('can leave out %s, and loses nothing else', async (part, told) => {
    const source = { load: async () => schema, refresh: async () => schema }
    const without = withholding(source, readContextParts(part))
    const shown = await without.load(AbortSignal.timeout(1_000))
    expect(await without.refresh(AbortSignal.timeout(1_000))).toBe(shown)
    expect(shown.tables).toBe(schema.tables)
    const prompt = renderSchema(shown).text
    expect(renderSchema(schema).text).toContain(told)
    for (const [other, text] of Object.entries(TOLD)) expect([other, prompt.includes(text)]).toEqual([other, other !== part])
  })

  it('have one cost each', () => {
    const { tokens, parts } = contextCosts(schema, { full: '# Words\n\nrevenue: sum(amount)' })
    expect(parts.every(each => each.tokens > 0 && each.tokens < tokens)).toBe(true)
    expect(parts.map(({ part }) => part)).toEqual([...Object.keys(TOLD), 'domain'])
  })
})
