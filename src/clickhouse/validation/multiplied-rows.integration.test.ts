import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { createLogger } from '../../base/logger.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { scopeOfSchema } from '../../warehouse/scope-of-schema.ts'
import { SchemaCatalog } from '../catalog/schema-catalog.ts'
import { EngineSqlGuard } from '../guard/engine-sql-guard.ts'
import { doubtOfMultipliedRows } from './multiplied-rows.ts'

const signal = AbortSignal.timeout(60_000)
let engine: TestEngine
let schema: Schema

beforeAll(async () => {
  engine = await startTestEngine()
  for (const sql of [
    'CREATE TABLE customers (id UInt64, country String, credit Int64) ENGINE = MergeTree ORDER BY id',
    "INSERT INTO customers SELECT number, ['DE', 'FR'][number % 2 + 1], number FROM numbers(100)",
    'CREATE TABLE orders (id UInt64, customer_id UInt64, amount Int64, status String) ENGINE = MergeTree ORDER BY id',
    "INSERT INTO orders SELECT number, number % 100, number, 'paid' FROM numbers(1000)",
    'CREATE TABLE refunds (order_id UInt64, customer_id UInt64, refunded Int64, n UInt8) ENGINE = MergeTree ORDER BY (order_id, n)',
    'INSERT INTO refunds SELECT intDiv(number, 2), intDiv(number, 2) % 100, 1, number % 2 FROM numbers(400)',
    'CREATE TABLE tariffs (customer_id UInt64, since UInt64, until Nullable(UInt64), is_current Bool) ENGINE = MergeTree ORDER BY (customer_id, since)',
    'INSERT INTO tariffs SELECT number % 100, intDiv(number, 100) * 300, if(number < 200, intDiv(number, 100) * 300 + 300, NULL), number >= 200 FROM numbers(300)',
    'CREATE TABLE names (tenant UInt8, id UInt64, name String) ENGINE = ReplacingMergeTree ORDER BY (tenant, id)',
    'INSERT INTO names SELECT 1, number, toString(number) FROM numbers(100)',
    "INSERT INTO names SELECT 1, number, 'another' FROM numbers(100)",
  ]) {
    await engine.warehouse.write({ sql }, signal)
  }
  const store = createMemoryStateStore({ now: Date.now })
  const logger = createLogger({ level: 'silent' })
  const catalog = new SchemaCatalog({ warehouse: engine.warehouse, store, logger }, { databases: ['default'] })
  schema = await catalog.load(signal)
  await catalog.close()
})
afterAll(() => engine?.close())

async function doubt(sql: string) {
  const verdict = await new EngineSqlGuard(engine).check(sql, scopeOfSchema(schema, ['default']), signal)
  if (verdict.verdict === 'reject') throw new Error(verdict.message)
  return doubtOfMultipliedRows(verdict, schema)
}

describe('a join that multiplies summed rows', () => {
  it('is reported with advice', async () => {
    const sql =
      'SELECT c.country, sum(o.amount) FROM customers AS c JOIN orders AS o ON o.customer_id = c.id JOIN refunds AS r ON r.customer_id = c.id GROUP BY c.country'
    expect(await doubt(sql)).toEqual({
      message:
        'Each row of default.orders is added up several times: once for every row of default.refunds that has its customer_id. Bring default.refunds to one row per customer_id first (a subquery with GROUP BY), or only ask whether there is one (IN, SEMI JOIN). Where it is meant once for every row of default.refunds, as a price for each sale, write the query as it is.',
      found: { table: 'default.orders', by: 'default.refunds', column: 'customer_id' },
    })
  })

  it.each([
    ['customers', 'SELECT sum(c.credit) FROM customers AS c JOIN orders AS o ON o.customer_id = c.id'],
    ['customers', 'SELECT sum(credit) / 1000 FROM customers, orders WHERE customer_id = customers.id'],
    ['customers', "SELECT avgIf(c.credit, c.country = 'DE') FROM customers AS c LEFT JOIN orders AS o ON c.id = o.customer_id"],
    ['orders', 'SELECT sum(o.amount) FROM orders AS o JOIN refunds AS r USING (customer_id)'],
    [
      'orders',
      'SELECT country, round(sum(amount - credit)) FROM orders AS o JOIN customers AS c ON o.customer_id = c.id LEFT JOIN refunds AS r ON r.order_id = o.id GROUP BY country',
    ],
    [
      'customers',
      'SELECT sum(c.credit) FROM orders AS o RIGHT JOIN customers AS c ON c.id = o.customer_id WHERE o.status IN (1, 2)',
    ],
    ['orders', 'SELECT sum(o.amount) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id AND r.n >= 0 AND r.n < 7'],
    ['orders', 'SELECT sum(if(o.amount > 5, o.amount, 0)) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id'],
    ['orders', 'SELECT sum(o.amount) FROM orders AS o JOIN names AS n FINAL ON n.tenant = o.status'],
    [
      'orders',
      'WITH t AS (SELECT sum(o.amount) AS s FROM orders AS o JOIN refunds AS r ON r.order_id = o.id WHERE r.refunded > 0) SELECT s FROM t',
    ],
  ])('is found for %s: %s', async (table, sql) => {
    expect((await doubt(sql))?.found.table).toBe(`default.${table}`)
  })

  it.each([
    'SELECT c.country, sum(o.amount), count() FROM orders AS o JOIN customers AS c ON c.id = o.customer_id GROUP BY c.country',
    'SELECT sum(r.refunded), uniqExact(o.id), max(o.amount) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id',
    'SELECT sum(o.amount) FROM orders AS o WHERE o.id IN (SELECT order_id FROM refunds)',
    'SELECT sum(o.amount) FROM orders AS o LEFT SEMI JOIN refunds AS r ON r.order_id = o.id',
    'SELECT sum(o.amount) FROM orders AS o ANY LEFT JOIN refunds AS r ON r.order_id = o.id',
    'SELECT sum(o.amount) FROM orders AS o JOIN (SELECT order_id, sum(refunded) AS s FROM refunds GROUP BY order_id) AS r ON r.order_id = o.id',
    'WITH r AS (SELECT DISTINCT order_id FROM refunds) SELECT sum(o.amount) FROM orders AS o JOIN r ON r.order_id = o.id',
    'SELECT sum(o.amount) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id AND r.n = 0',
    'SELECT r.n, sum(o.amount) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id GROUP BY r.n',
    'SELECT sum(o.amount * r.refunded) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id',
    'SELECT sum(r.refunded) / sum(o.amount), sum(o.amount) / 2 FROM orders AS o JOIN refunds AS r ON r.order_id = o.id',
    'SELECT c.id, avg(c.credit), sum(o.amount) FROM customers AS c JOIN orders AS o ON o.customer_id = c.id GROUP BY c.id',
    'SELECT sum(o.amount) OVER (ORDER BY r.n) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id',
    'SELECT sum(credit) FROM customers ARRAY JOIN [1, 2] AS x',
    'SELECT sumDistinct(o.amount) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id',
    'SELECT sum(o.amount) FROM refunds AS r RIGHT SEMI JOIN orders AS o ON r.order_id = o.id',
    'SELECT sum(o.amount) FROM refunds AS r RIGHT ANY JOIN orders AS o ON r.order_id = o.id',
    'SELECT sum(o.amount) FROM refunds AS r ANY INNER JOIN orders AS o ON r.order_id = o.id',
    'SELECT sum(o.amount) FROM orders AS o JOIN names AS n FINAL ON n.id = o.customer_id',
    'SELECT sum(o.amount) FROM orders AS o JOIN tariffs AS t ON t.customer_id = o.customer_id AND t.is_current',
    'SELECT sum(o.amount) FROM orders AS o JOIN tariffs AS t ON t.customer_id = o.customer_id WHERE t.until IS NULL',
    'SELECT sum(o.amount) FROM orders AS o JOIN tariffs AS t ON t.customer_id = o.customer_id WHERE o.id >= t.since AND (t.until IS NULL OR o.id < t.until)',
    'SELECT sum(o.amount) FROM orders AS o JOIN tariffs AS t ON t.customer_id = o.customer_id WHERE o.id BETWEEN t.since AND coalesce(t.until, 1000)',
    'SELECT sum(o.amount) FROM orders AS o JOIN tariffs AS t ON t.customer_id = o.customer_id WHERE t.since <= 500 AND t.until > 500',
    'SELECT sum(o.amount) FROM orders AS o JOIN tariffs AS t ON t.customer_id = o.customer_id WHERE (t.customer_id, t.since) IN (SELECT customer_id, max(since) FROM tariffs GROUP BY customer_id)',
    'SELECT sum(o.amount) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id WHERE r.n IN (0)',
    'SELECT sumIf(o.amount, r.n = 0), sum(if(r.n = 0, o.amount, 0)) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id',
    'SELECT r.n AS nth, sum(o.amount) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id GROUP BY nth',
    'SELECT r.n, sum(o.amount) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id GROUP BY 1',
    'SELECT r.n, sum(o.amount) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id GROUP BY ALL',
    'SELECT r.n, sum(o.amount) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id GROUP BY GROUPING SETS ((r.n), (r.n, o.status))',
    "SELECT sum(c.country = 'DE'), sum(if(c.country = 'DE', 1, 0)), avg(c.credit > 5) FROM customers AS c JOIN orders AS o ON o.customer_id = c.id",
    "SELECT sum(CASE WHEN c.country = 'DE' THEN o.amount ELSE 0 END), sum(CASE c.country WHEN 'DE' THEN o.amount END) FROM customers AS c JOIN orders AS o ON o.customer_id = c.id",
    'SELECT sum(t.is_current) FROM tariffs AS t JOIN orders AS o ON o.customer_id = t.customer_id',
    'SELECT intDiv(sum(o.amount), count()) FROM orders AS o JOIN refunds AS r ON r.order_id = o.id',
    'SELECT sum(o.amount) FROM orders AS o JOIN refunds AS r ON abs(r.order_id) = abs(o.id) JOIN tariffs AS t ON t.since = r.order_id WHERE t.until = 300',
  ])('is not reported if it may be intended or does not multiply: %s', async sql => {
    expect(await doubt(sql)).toBeUndefined()
  })
})
