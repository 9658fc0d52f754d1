import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { COLUMN_LINEAGE_CASES, type ColumnLineageCase } from '../../test/cases/column-lineage.ts'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { readColumnLineage } from '../clickhouse/column-lineage/read-column-lineage.ts'
import type { ColumnLineage, InputColumn } from './column-lineage.ts'

const never = new AbortController().signal
let engine: TestEngine

const TABLES = {
  orders: {
    id: 'UInt32',
    customer: 'UInt32',
    amount: 'Int64',
    country: 'String',
    day: 'Date',
    tags: 'Array(String)',
    attrs: 'Map(String, String)',
    place: 'Tuple(city String, zip UInt16)',
    'items.sku': 'Array(String)',
    'items.qty': 'Array(UInt8)',
    note: 'Nullable(String)',
  },
  customers: { id: 'UInt32', name: 'String', country: 'String', score: 'Int64' },
  rates: { country: 'String', day: 'Date', rate: 'Int64' },
} as const
const COLUMNS = Object.entries(TABLES).flatMap(([table, columns]) => Object.keys(columns).map(column => ({ table, column })))

const write = (sql: string, database = 'default') => engine.warehouse.write({ sql, database }, never)
/** The default time limit of two seconds may be too short on a busy machine. */
const lineageOf = (sql: string) => readColumnLineage(engine.warehouse, { sql, database: 'default', timeLimitMs: 20_000 }, never)

beforeAll(async () => {
  engine = await startTestEngine()
  await createTables('default', () => 'number')
  await write('ALTER TABLE orders ADD COLUMN gross Int64 ALIAS amount * 2')
  await write(
    "CREATE DICTIONARY names (id UInt64, name String) PRIMARY KEY id SOURCE(CLICKHOUSE(TABLE 'customers' DB 'default')) LAYOUT(FLAT()) LIFETIME(0)",
  )
  await write('CREATE VIEW spendings AS SELECT customer, sum(amount) AS spent FROM orders GROUP BY customer')
})
afterAll(() => engine?.close())

/** Creates the test tables with 12 rows each. `numberOf` returns a number for each row and column, from which the cell's value is made. */
async function createTables(database: string, numberOf: (table: string, column: string) => string): Promise<void> {
  for (const [table, columns] of Object.entries(TABLES)) {
    const definitions = Object.entries(columns).map(([column, type]) => `\`${column}\` ${type}`)
    const values = Object.entries(columns).map(([column, type]) => VALUES[type]?.replaceAll('#', numberOf(table, column)))
    await write(`CREATE TABLE ${table} (${definitions.join(', ')}) ENGINE = Memory`, database)
    await write(`INSERT INTO ${table} SELECT ${values.join(', ')} FROM numbers(12)`, database)
  }
}

/**
 * The SQL expression of a value, for each column type. `#` stands for a number. There are few distinct values, so that joins match and groups have
 * several rows. The arrays of a Nested have equal lengths.
 */
const VALUES: Readonly<Record<string, string>> = {
  UInt32: 'toUInt32((#) % 5)',
  Int64: 'toInt64((#) % 17)',
  String: "['de', 'fr', 'be', 'a', ''][(#) % 5 + 1]",
  Date: "toDate('2026-01-01') + (#) % 4",
  'Array(String)': "['x', 'a', toString((#) % 3)]",
  'Map(String, String)': "map('a', toString((#) % 3), toString((#) % 4), 'b')",
  'Tuple(city String, zip UInt16)': '(toString((#) % 4), toUInt16((#) % 6))',
  'Array(UInt8)': '[1, toUInt8((#) % 3), 7]',
  'Nullable(String)': 'if((#) % 3 = 0, NULL, toString((#) % 7))',
}

/** Writes inputs in the form that the test cases use, sorted by name: `orders.id IDENTITY, rates.rate JOIN+FILTER`. */
function shown(inputs: readonly InputColumn[]): readonly string[] {
  return inputs
    .map(({ table, column, transformations }) => `${table.replace(/^default\./, '')}.${column} ${transformations.join('+')}`)
    .toSorted()
}

const written = (inputs: string) => (inputs === '' ? [] : inputs.split(', ').toSorted())

describe('the columns that feed a query', () => {
  it.each(COLUMN_LINEAGE_CASES.map(each => [each.name, each] as const))('%s', async (_, { sql, columns, rows = '' }) => {
    const lineage = await lineageOf(sql)
    const found = lineage?.fields.map(({ column, inputs }) => [column, shown(inputs)])
    expect(found).toEqual(Object.entries(columns).map(([column, inputs]) => [column, written(inputs)]))
    expect(shown(lineage?.dataset ?? [])).toEqual(written(rows))
  })

  it("are undefined if the tree hides them: a query as a table function's argument", async () => {
    expect(await lineageOf('SELECT count() AS n FROM view(SELECT id FROM orders WHERE amount > 1)')).toBeUndefined()
  })

  it("are undefined if a name would break the tree's lines", async () => {
    expect(await lineageOf('SELECT id AS `a\n  JOIN TREE\n    TABLE id: 9` FROM orders')).toBeUndefined()
  })

  it('are found without running scalar subqueries', async () => {
    const started = performance.now()
    const lineage = await lineageOf('SELECT id, (SELECT max(sipHash64(number)) FROM numbers(100000000000)) AS most FROM orders')
    expect(lineage?.fields.map(({ inputs }) => shown(inputs))).toEqual([
      ['orders.id IDENTITY'],
      ['_table_function.numbers.number AGGREGATION'],
    ])
    expect(performance.now() - started).toBeLessThan(60_000)
  })
})

/** Runs a query. Returns the sorted values of each result column, so that the order of rows does not matter. */
async function results(sql: string, database: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const { columns, rows } = await engine.warehouse.readOwn({ sql: `${sql}\nSETTINGS max_threads = 1`, database }, never)
  return Object.fromEntries(columns.map(({ name }, at) => [name, rows.map(row => JSON.stringify(row[at])).toSorted()]))
}

/** Queries that work in any database, because they do not contain a database name. */
const MOVABLE = COLUMN_LINEAGE_CASES.filter(({ isBound }) => isBound !== true)

/** The test changes this many columns at a time. With a smaller number, it would compare more results and take longer. */
const CHANGED_AT_ONCE = 5

type Column = (typeof COLUMNS)[number]

/** Returns the result columns that must not change, because according to the lineage they depend on none of the changed columns. */
function untouched(lineage: ColumnLineage | undefined, changed: readonly Column[]): readonly string[] {
  const isOrigin = (input: InputColumn) =>
    changed.some(({ table, column }) => input.table === `default.${table}` && input.column === column)
  if (lineage === undefined || lineage.dataset.some(isOrigin)) return []
  return lineage.fields.filter(({ inputs }) => !inputs.some(isOrigin)).map(field => field.column)
}

describe('a column that does not feed a result', () => {
  it('can change without changing the result', async () => {
    const lineages = new Map<ColumnLineageCase, ColumnLineage | undefined>()
    for (const each of MOVABLE) lineages.set(each, await lineageOf(each.sql))
    const count = { compared: 0, changed: 0 }
    const seeds = fc.integer({ min: 0, max: 1_000_000 })
    const orders = fc.shuffledSubarray(COLUMNS, { minLength: COLUMNS.length })
    const property = fc.asyncProperty(seeds, orders, async (seed, order) => {
      const anew = async (database: string, changed: readonly Column[]) => {
        await write(`DROP DATABASE IF EXISTS ${database} SYNC`)
        await write(`CREATE DATABASE ${database}`)
        await createTables(database, (table, column) => {
          const isChanged = changed.some(other => other.table === table && other.column === column)
          return `sipHash64(number, '${table}.${column}', ${isChanged ? seed + 1 : seed})`
        })
      }
      await anew('base', [])
      const before = await Promise.all(MOVABLE.map(({ sql }) => results(sql, 'base')))
      for (let at = 0; at < order.length; at += CHANGED_AT_ONCE) {
        const changed = order.slice(at, at + CHANGED_AT_ONCE)
        await anew('other', changed)
        const after = await Promise.all(MOVABLE.map(({ sql }) => results(sql, 'other')))
        for (const [index, each] of MOVABLE.entries()) {
          const free = untouched(lineages.get(each), changed)
          const of = (all: (typeof after)[number] | undefined) => ({ query: each.name, changed, ...pick(all, free) })
          expect(of(after[index])).toEqual(of(before[index]))
          count.compared += free.length
          count.changed += JSON.stringify(after[index]) === JSON.stringify(before[index]) ? 0 : 1
        }
      }
    })
    await fc.assert(property, { numRuns: 1, endOnFailure: true })
    // The test would prove nothing if it compared or changed only a few columns.
    expect(count.compared).toBeGreaterThan(150)
    expect(count.changed).toBeGreaterThan(80)
  })
})

function pick(all: Readonly<Record<string, readonly string[]>> | undefined, names: readonly string[]) {
  return Object.fromEntries(names.map(name => [name, all?.[name]]))
}
