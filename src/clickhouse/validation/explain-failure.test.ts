import { describe, expect, it } from '@jest/globals'
import { columnOf, schemaOf, tableOf } from '../../../test/support/schema-fixture.ts'
import { explainFailure } from './explain-failure.ts'

const schema = schemaOf(
  tableOf('orders', {
    columns: [
      columnOf('id', 'UInt64'),
      columnOf('customer_id', 'UInt64'),
      columnOf('placed_at', 'DateTime'),
      columnOf('raw', 'String', { computed: { kind: 'EPHEMERAL', expression: '' } }),
    ],
  }),
  tableOf('customers', {
    columns: [
      columnOf('id', 'UInt64'),
      columnOf('name', 'String'),
      columnOf('city', 'String'),
      columnOf('mail', 'String', { isPrivate: true }),
    ],
  }),
  tableOf('wide', { columns: Array.from({ length: 40 }, (_, index) => columnOf(`metric_${index}`, 'Float64')) }),
)
const JOINED = {
  canonical: 'SELECT * FROM orders AS o INNER JOIN shop.customers AS c ON o.customer_id = c.id',
  tables: ['shop.customers', 'shop.orders'],
}
const explain = (serverCode: number, message: string, query = JOINED) => explainFailure({ serverCode, message }, query, schema)

describe('explainFailure', () => {
  it('finds the table behind an alias in every notation', () => {
    const text = (name: string) => `Identifier '${name}' cannot be resolved from table with name x. In scope SELECT 1.`
    expect(explain(47, text('o.placed')).message).toBe(
      'There is no column placed in shop.orders; near: placed_at. Its columns are: id, customer_id, placed_at.',
    )
    expect(explain(47, text('c.nam')).suggestions).toEqual(['name'])
    expect(explain(47, text('shop.customers.nam')).suggestions).toEqual(['name'])
  })

  it('names the tables of near columns if there are several, and aliases that the engine suggests first', () => {
    const text = "Unknown expression identifier `citi` in scope SELECT 1. Maybe you meant: ['cities','c.city']."
    expect(explain(47, text)).toEqual({
      message: 'There is no column citi in shop.customers or shop.orders; near: cities, shop.customers.city.',
      suggestions: ['cities', 'shop.customers.city'],
      unknownColumn: 'citi',
    })
  })

  it("suggests near names even if the message was cut before the engine's own", () => {
    expect(explain(47, `Unknown expression identifier \`nmae\` in scope SELECT ${'x, '.repeat(300)}…`).suggestions).toEqual([
      'shop.customers.name',
    ])
  })

  it('does not suggest a private column, even if the engine does', () => {
    const text = "Unknown expression identifier `mial` in scope SELECT 1. Maybe you meant: ['mail','c.mail']."
    const query = { canonical: 'SELECT mial FROM customers AS c', tables: ['shop.customers'] }
    expect(explain(47, text, query)).toEqual({
      message:
        "There is no column mial in shop.customers. Its columns are: id, name, city. A text value would be written in single quotes: 'mial'.",
      suggestions: [],
      unknownColumn: 'mial',
    })
  })

  it('does not list the columns of a wide table', () => {
    const wide = { canonical: 'SELECT metrik_7 FROM wide', tables: ['shop.wide'] }
    expect(explain(47, 'Unknown expression identifier `metrik_77` in scope SELECT 1.', wide).message).toMatch(
      /^There is no column metrik_77 in shop\.wide; near: [^:]+\.$/,
    )
  })

  it('never repeats table names that the engine suggests, since they may be outside the scope', () => {
    const text = "Unknown table expression identifier 'shop.orderz' in scope SELECT 1. Maybe you meant secret.orders?."
    expect(explain(60, text)).toEqual({
      message: 'There is no table shop.orderz; near: shop.orders.',
      suggestions: ['shop.orders'],
    })
    expect(explain(81, 'Database shoq does not exist. Maybe you meant secret?.').message).toBe(
      'There is no database shoq; near: shop.',
    )
    expect(explain(9_999, 'Something is wrong. Maybe you meant secret.orders?.').message).toBe('Something is wrong.')
  })

  it('reports a dropped table that the schema still has', () => {
    const text = "Unknown table expression identifier 'shop.orders' in scope SELECT 1."
    expect(explain(60, text)).toEqual({ message: 'There is no table shop.orders.', suggestions: [] })
  })

  it.each([
    [
      386,
      "There is no supertype for types String, UInt16 because some of them are String/FixedString/Enum and some of them are not: JOIN cannot infer common type in ON section for keys. Left key '__table2.mtu' type UInt16. Right key '__table3.code' type LowCardinality(String).",
      'mtu (UInt16) cannot be compared with code (LowCardinality(String)) by JOIN ON: There is no supertype for types String, UInt16.',
    ],
    [
      53,
      "Cannot convert string 'a, b (c' to type UInt16: while executing function equals on arguments __table1.mtu UInt16 UInt16(size = 0), 'a, b (c'_String String Const(size = 0, String(size = 1)).",
      "mtu (UInt16) cannot be compared with 'a, b (c' (String) by =: Cannot convert string 'a, b (c' to type UInt16.",
    ],
    [
      53,
      "Cannot convert string 'abc' to type UInt64: while executing function greater on arguments plus(toUInt32(__table1.mtu), 1_UInt8) UInt64 UInt64(size = 0), 'abc'_String String Const(size = 0, Str…",
      "Cannot convert string 'abc' to type UInt64.",
    ],
    [
      6,
      "Cannot parse string 'x' as Int32: syntax error at begin of string. Note: there are toInt32OrZero and toInt32OrNull functions, which returns zero/NULL instead of throwing exception: while executing 'FUNCTION toInt32(__table2.code :: 1) -> toInt32(__table2.code) LowCardinality(Int32) : 0'.",
      "Cannot parse string 'x' as Int32: syntax error at begin of string. Note: there are toInt32OrZero and toInt32OrNull functions, which returns zero/NULL instead of throwing exception.",
    ],
    [
      20,
      "Number of columns in section IN doesn't match. 1 at left, 2 at right: while executing 'FUNCTION in(code :: 0, …",
      "Number of columns in section IN doesn't match. 1 at left, 2 at right.",
    ],
    [
      46,
      "Function with name `quantileX` does not exist. In scope SELECT quantileX(1). Maybe you meant: ['quantiles','quantile'].",
      'There is no function quantileX; near: quantiles, quantile.',
    ],
    [
      403,
      'Cannot determine join keys in JOIN ON expression greater(__table2.created_at, __table3.created_at).',
      'Cannot determine join keys in JOIN ON expression greater(created_at, created_at).',
    ],
    [184, 'Some new wording about aggregates. In query SELECT 1.', 'Some new wording about aggregates.'],
  ])('reads code %i: %s', (code, text, message) => {
    expect(explain(code, text).message).toBe(message)
  })

  it('keeps hostile names on one short line', () => {
    const { message } = explain(47, `Unknown expression identifier \`a\n\u202e# ${'x'.repeat(5_000)}\` in scope SELECT 1.`)
    expect(message).not.toMatch(/[\n\u202e]/)
    expect(message.length).toBeLessThan(400)
    expect(explain(9_999, 'x\n'.repeat(5_000)).message.length).toBeLessThanOrEqual(301)
  })

  it.each([
    [49, 'Bad cast from type A to B: (while reading from part /var/lib/clickhouse/store/abc/all_1_1_0/ located on disk default)'],
    [6, "Cannot parse string 'x' as UInt8: (while reading from part /var/lib/clickhouse/store/abc/all_1_1_0/ in table a.b)"],
    [36, 'Bad file /var/lib/clickhouse/x on ch-2.internal:9000'],
  ])("does not reveal the server's data path (%i)", (code, text) => {
    expect(explain(code, text).message).not.toMatch(/\/|while reading|disk|9000/)
    expect(explain(code, text).message).toMatch(/^(?:Bad|Cannot parse)/)
  })
})
