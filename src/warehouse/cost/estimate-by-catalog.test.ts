import { describe, expect, it } from '@jest/globals'
import { schemaOf, tableOf } from '../../../test/support/schema-fixture.ts'
import { overBudget } from './budget.ts'
import { estimateByCatalog } from './estimate-by-catalog.ts'

const schema = schemaOf(
  tableOf('orders', { rows: 6_000_000_000 }),
  tableOf('orders_old', { rows: 9_000_000_000 }),
  tableOf('users', { rows: 1_000 }),
  tableOf('recent', { engine: 'View', rows: null, viewDefinition: 'SELECT id FROM shop.`orders` AS o' }),
  tableOf('latest', { engine: 'View', rows: null, viewDefinition: 'SELECT id FROM shop.recent, shop.users' }),
)

describe('estimateByCatalog', () => {
  it.each<[readonly string[], readonly string[]]>([
    [
      ['shop.users', 'shop.orders'],
      ['shop.orders', 'shop.users'],
    ],
    [['shop.recent'], ['shop.orders']],
    [
      ['shop.latest', 'shop.users'],
      ['shop.orders', 'shop.users'],
    ],
    [['system.one'], []],
  ])('of %j counts %j', (tables, counted) => {
    expect(estimateByCatalog(tables, schema).tables.map(({ table }) => table)).toEqual(counted)
  })

  it('exceeds the budget by its rows alone, and says that this is an upper bound', () => {
    const budget = { maxRows: 5_000_000_000, maxBytes: 1 }
    expect(overBudget(estimateByCatalog(['shop.orders'], schema), budget)).toBe(
      'would read at most 6 billion rows of `orders` at a time (what exactly could not be worked out); allowed are 5 billion rows',
    )
    expect(overBudget(estimateByCatalog(['shop.users'], schema), budget)).toBeNull()
  })
})
