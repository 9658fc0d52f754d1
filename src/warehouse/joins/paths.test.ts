import { describe, expect, it } from '@jest/globals'
import { columnOf, schemaOf, tableOf } from '../../../test/support/schema-fixture.ts'
import { renderSchema } from '../catalog/schema-prompt.ts'
import type { ColumnStatistics, TableSchema, ValueOverlap } from '../schema.ts'
import { joinCandidates } from './candidates.ts'
import { joinPaths } from './paths.ts'

const rows = { nullShare: 0, min: null, max: null, samples: [], rowsScanned: 100, exact: true }
const unique = { statistics: { ...rows, distinct: 100 } satisfies ColumnStatistics }
const many = { statistics: { ...rows, distinct: 60 } satisfies ColumnStatistics }

function overlap(columns: string, to: string, found: number): ValueOverlap {
  const [name = '', column = ''] = to.split('.')
  return { columns: [columns], table: { database: 'shop', name }, tableColumns: [column], values: 100, found }
}

function texts(...tables: readonly TableSchema[]): readonly string[] {
  return [...joinPaths(tables)].flatMap(([from, paths]) =>
    paths.map(path => `${from.name}.${path.columns} ${path.kind} ${path.to.name}.${path.toColumns} ${path.found}`),
  )
}

const customers = tableOf('customers', {
  sortingKey: 'id',
  columns: [columnOf('id', 'UInt64', unique), columnOf('name', 'String')],
})
const orders = (found: number, more: Partial<TableSchema> = {}) =>
  tableOf('orders', {
    columns: [columnOf('id', 'UInt64'), columnOf('customer_id', 'UInt32'), columnOf('name', 'String')],
    overlaps: [overlap('customer_id', 'customers.id', found)],
    ...more,
  })

describe('joinPaths', () => {
  it('accepts matching names if the values match too', () => {
    expect(texts(customers, orders(100))).toEqual(['orders.customer_id reference customers.id 1'])
    expect(texts(customers, orders(70))).toEqual(['orders.customer_id reference customers.id 0.7'])
    expect(texts(customers, orders(30))).toEqual([])
  })

  it('has no path to columns that are not unique, or that only share a name', () => {
    const versions = { ...customers, columns: [columnOf('id', 'UInt64', many), columnOf('name', 'String')] }
    expect(texts(versions, orders(100))).toEqual([])
    expect(texts({ ...versions, engine: 'ReplacingMergeTree' }, orders(100))).toHaveLength(1)
  })

  it('believes a foreign key under any name, if both of its ends may be used', () => {
    const references = [{ columns: ['buyer'], table: { database: 'shop', name: 'customers' }, tableColumns: ['id'] }]
    const sales = tableOf('sales', { columns: [columnOf('buyer', 'Int64')], references })
    expect(texts(customers, sales)).toEqual(['sales.buyer reference customers.id 1'])
    expect(texts(sales)).toEqual([])
    const secret = { ...customers, columns: [columnOf('id', 'UInt64', { isPrivate: true })] }
    expect(texts(secret, sales)).toEqual([])
  })

  it('marks a path without a comparison', () => {
    const text = renderSchema(schemaOf(customers, orders(0, { overlaps: [] }))).text
    expect(text).toContain('customer_id UInt32 -- → customers.id?')
    expect(text).not.toContain('name String -- →')
  })

  it('believes a comment with other names, and reports the share of values found', () => {
    const nodes = tableOf('nodes', { columns: [columnOf('gossip_ip', 'String', unique)] })
    const users = tableOf('users', {
      columns: [columnOf('dz_ip', 'Nullable(String)', { ...many, comment: 'Equals `nodes`.gossip_ip of the node' })],
      overlaps: [overlap('dz_ip', 'nodes.gossip_ip', 40)],
    })
    expect(texts(nodes, users)).toEqual(['users.dz_ip reference nodes.gossip_ip 0.4'])
    // The join leads from many rows to one, although the comment that states it is on the column with unique values.
    const told = tableOf('nodes', { columns: [columnOf('gossip_ip', 'String', { ...unique, comment: 'users.dz_ip' })] })
    const untold = { ...users, columns: [columnOf('dz_ip', 'Nullable(String)', many)] }
    expect(texts(told, untold)).toEqual(['users.dz_ip reference nodes.gossip_ip 0.4'])
  })

  it('joins a row to another of its table, and shared identifiers that are no key', () => {
    const spans = tableOf('spans', {
      sortingKey: 'trace_id, at',
      columns: [
        columnOf('span_id', 'UInt64', unique),
        columnOf('parent_id', 'UInt64', many),
        columnOf('trace_id', 'String', many),
        columnOf('at', 'DateTime'),
      ],
      overlaps: [overlap('parent_id', 'spans.span_id', 100), overlap('trace_id', 'logs.trace_id', 95)],
    })
    const logs = tableOf('logs', { columns: [columnOf('trace_id', 'String', many), columnOf('level', 'String', many)] })
    expect(texts(logs, spans)).toEqual(['spans.parent_id reference spans.span_id 1', 'spans.trace_id shared logs.trace_id 0.95'])
  })

  it('never looks at a private column', () => {
    const hidden = orders(100, { columns: [columnOf('customer_id', 'UInt32', { isPrivate: true, comment: 'customers.id' })] })
    expect(joinCandidates([customers, hidden])).toEqual([])
  })

  it('visits ten thousand tables once', () => {
    const tables = Array.from({ length: 10_000 }, (_, at) =>
      tableOf(`tenant_${Math.floor(at / 2)}_${at % 2 === 0 ? 'users' : 'orders'}`, {
        sortingKey: 'id',
        columns: ['id', 'user_id', 'event_id', 'trace_id', 'status', 'name'].map(name =>
          columnOf(name, 'UInt64', { comment: 'see users.id' }),
        ),
      }),
    )
    const candidates = joinCandidates(tables)
    expect(candidates.filter(({ columns }) => columns[0] === 'user_id')).toHaveLength(5_000)
    expect(candidates.every(({ from, to }) => from.name.split('_')[1] === to.name.split('_')[1])).toBe(true)
  })
})
