import { describe, expect, it } from '@jest/globals'
import { schemaOf, tableOf } from '../../../test/support/schema-fixture.ts'
import { qualifiedName } from '../table-names.ts'
import { findTable } from './find-table.ts'

const schema = schemaOf(
  tableOf('orders'),
  tableOf('Users'),
  tableOf('users'),
  tableOf('events'),
  tableOf('events', { database: 'archive' }),
  tableOf('a.b'),
)

function found(name: string): string | readonly string[] {
  const search = findTable(schema, name)
  if (search.kind === 'found') return qualifiedName(search.table)
  return search.kind === 'ambiguous' ? search.candidates.map(qualifiedName) : search.near
}

describe('findTable', () => {
  it.each([
    ['orders', 'shop.orders'],
    ['shop.orders', 'shop.orders'],
    ['SHOP.Orders', 'shop.orders'],
    [' `shop`.`orders` ', 'shop.orders'],
    ['users', 'shop.users'],
    ['Users', 'shop.Users'],
    ['archive.events', 'archive.events'],
    ['a.b', 'shop.a.b'],
  ])('finds %s', (name, expected) => {
    expect(found(name)).toBe(expected)
  })

  it('reports an ambiguous name', () => {
    expect(found('events')).toEqual(['shop.events', 'archive.events'])
    expect(found('USERS')).toEqual(['shop.Users', 'shop.users'])
  })

  it('suggests near names', () => {
    expect(found('shop.ordres')).toEqual(['shop.orders'])
    expect(found('event')).toEqual(['shop.events', 'archive.events'])
    expect(found('invoices')).toEqual([])
  })
})
