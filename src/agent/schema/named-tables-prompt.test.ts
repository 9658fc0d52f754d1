import { describe, expect, it } from '@jest/globals'
import { columnOf, schemaOf, tableOf } from '../../../test/support/schema-fixture.ts'
import { namedTablesPrompt } from './named-tables-prompt.ts'

const described = (name: string, ...columns: readonly string[]) =>
  tableOf(name, {
    comment: `About ${name}`,
    columns: [...columns, 'a', 'b', 'c', 'd'].map(column =>
      columnOf(column, 'UInt64', { comment: `${column} of ${name}, ${'x'.repeat(60)}` }),
    ),
  })
const orders = tableOf('orders', {
  columns: [columnOf('customer_id', 'UInt64', { comment: 'customers.id' }), columnOf('mail', 'String', { isPrivate: true })],
  overlaps: [
    { columns: ['customer_id'], table: { database: 'shop', name: 'customers' }, tableColumns: ['id'], values: 50, found: 50 },
  ],
})
const customers = { ...described('customers', 'id'), sortingKey: 'id', primaryKey: 'id' }
const schema = schemaOf(orders, customers, described('visits'), described('returns'), described('stock'))
const promptOf = (named: readonly string[], hinted: readonly string[] = []) => {
  const prompt = namedTablesPrompt(schema, named, hinted)
  if (typeof prompt === 'string') throw new Error('the tables stand in the constant part')
  return prompt
}
const inFull = (text = '') => [...text.matchAll(/^TABLE shop\.(\w+)/gm)].map(([, name]) => name)

describe('namedTablesPrompt', () => {
  it('describes the named tables and those that they join in full, and of all others the names of columns', () => {
    const prompt = promptOf(['orders'])
    expect(inFull(prompt?.later)).toEqual(['orders', 'customers'])
    expect(prompt?.later).toContain('customer_id UInt64 -- → customers.id')
    expect(inFull(prompt?.here)).toEqual([])
    expect(prompt?.here).toContain('shop.visits (a, b, c, d)\n')
    expect(prompt?.here).not.toContain('mail')
  })

  it('adds the tables of definitions, if they exist', () => {
    expect(inFull(promptOf(['shop.visits'], ['shop.stock', 'shop.gone'])?.later)).toEqual(['visits', 'stock'])
  })

  it('gives the same bytes for the same tables, so that they can be cached', () => {
    expect(promptOf(['stock', 'visits'])).toEqual(promptOf(['visits', 'shop.stock', 'visits']))
    expect(promptOf(['stock'])?.here).toBe(promptOf(['visits'])?.here)
  })

  it.each([
    ['no table', []],
    ['an unknown table', ['visits', 'viewers']],
    ['nearly all tables', ['customers', 'visits', 'returns', 'stock']],
  ])('is absent if the plan names %s', (_, named) => {
    expect(promptOf(named)).toBeUndefined()
  })
})
