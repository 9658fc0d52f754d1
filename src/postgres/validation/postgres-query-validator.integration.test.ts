import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { VERSIONS } from '../../../test/support/postgres.ts'
import { readCases, startGuardWorld } from '../../../test/support/postgres-guard-world.ts'
import { columnOf, schemaOf, tableOf } from '../../../test/support/schema-fixture.ts'
import { createLogger } from '../../base/logger.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import { PostgresWarehouse } from '../postgres-warehouse.ts'
import { PostgresQueryValidator } from './postgres-query-validator.ts'

const signal = AbortSignal.timeout(120_000)
const schema = schemaOf(
  tableOf('orders', { rows: 200, columns: [columnOf('id', 'Int32'), columnOf('amount', 'Decimal(12, 2)', { bytesPerRow: 6 })] }),
  tableOf('customers', {
    rows: 20,
    columns: [
      columnOf('name', 'String'),
      columnOf('creditLimit', 'Decimal(12, 2)'),
      { ...columnOf('email', 'String'), isPrivate: true },
    ],
  }),
)

describe.each(VERSIONS)('PostgresQueryValidator on Postgres %i', version => {
  let world: Awaited<ReturnType<typeof startGuardWorld>>
  let validator: PostgresQueryValidator
  beforeAll(async () => {
    world = await startGuardWorld(version)
    const { connections, guard } = world
    const warehouse = new PostgresWarehouse({
      ...{ connections, maxBytes: 1_000_000, timeoutMs: 10_000, logger: createLogger({ level: 'silent' }) },
      recheck: (client, sql) => guard.recheck(client, sql),
    })
    validator = new PostgresQueryValidator({ warehouse, maxRows: 100 })
  })
  afterAll(() => world.stop())

  const check = async (sql: string) => {
    const verdict = await world.guard.check(sql, world.scope, signal)
    if (verdict.verdict !== 'allow') throw new Error(verdict.message)
    return validator.check(verdict, { schema }, signal)
  }
  const estimateOf = async (sql: string) => {
    const checked = await check(sql)
    return checked.verdict === 'valid' && checked.cost.verdict === 'estimated' ? checked.cost.estimate : undefined
  }

  it('finds every analytical query valid', async () => {
    const times: number[] = []
    for (const { sql } of await readCases('analytical-queries.jsonl')) {
      const began = performance.now()
      expect(await check(sql)).toMatchObject({ verdict: 'valid', cost: { verdict: 'estimated' } })
      times.push(performance.now() - began)
    }
    const median = times.sort((left, right) => left - right)[times.length >> 1] ?? 0
    console.info(`guard and validation on Postgres ${version}: p50 ${median.toFixed(1)} ms`)
  })

  it('counts all rows of a table that is read from its beginning to its end', async () => {
    const estimate = await estimateOf('SELECT count(*) FROM shop.orders WHERE amount > 299')
    expect(estimate).toMatchObject({ rows: 200, joinedRows: 0, unknown: [], tables: [{ table: 'shop.orders', rows: 200 }] })
    expect(estimate?.bytes).toBe(1_200)
  })

  it('counts what is read again for each row', async () => {
    const estimate = await estimateOf(
      'SELECT id, (SELECT count(*) FROM shop.orders o WHERE o.amount < c.id) FROM shop.customers c',
    )
    expect(estimate?.tables).toEqual(expect.arrayContaining([expect.objectContaining({ table: 'shop.orders', rows: 4_000 })]))
  })

  it('names a partitioned table, and the tables behind a view', async () => {
    expect(await estimateOf('SELECT count(*) FROM shop.events')).toMatchObject({ rows: 200, tables: [{ table: 'shop.events' }] })
    expect(await estimateOf('SELECT * FROM shop.revenue')).toMatchObject({ rows: 200, tables: [{ table: 'shop.orders' }] })
  })

  it('tells the rows of a join without a condition', async () => {
    const sql = 'SELECT count(*) FROM shop.orders a, shop.orders b'
    expect(await estimateOf(sql)).toMatchObject({ joinedRows: 40_000 })
    expect(await estimateOf(`${sql} WHERE a.id = b.customer_id`)).toMatchObject({ joinedRows: 0 })
  })

  it('finds a mistake that shows only when constants are computed', async () => {
    expect(await check('SELECT 1 / 0')).toMatchObject({ verdict: 'invalid', kind: 'query', message: 'Division by zero.' })
  })

  it('does not wait for a plan that takes long', async () => {
    const huge = `SELECT ${Array.from({ length: 400 }, () => 'factorial(4000)').join(', ')}`
    const began = performance.now()
    expect(await check(huge)).toMatchObject({ verdict: 'valid', cost: { verdict: 'unestimated' } })
    expect(performance.now() - began).toBeLessThan(8_000)
  })

  it.each([
    ['SELECT emale FROM shop.customers', 'There is no column emale where the query uses it.'],
    ['SELECT c.nam FROM shop.customers c', 'There is no column nam where the query uses it; near: name.'],
    ['SELECT creditLimit FROM shop.customers', 'There is no column creditlimit where the query uses it; near: "creditLimit".'],
    ["SELECT id + 'a'::text FROM shop.orders", 'Operator does not exist: integer + text.'],
    ['SELECT upper(id) FROM shop.orders', 'Function upper(integer) does not exist.'],
    ['SELECT customer_id, amount FROM shop.orders GROUP BY customer_id', 'must appear in the GROUP BY clause'],
  ])('explains %s without the names of private columns', async (sql, message) => {
    const error = await world.guard.check(sql, world.scope, signal).catch((failure: unknown) => failure)
    if (!(error instanceof WarehouseError)) throw new Error('no error')
    const explanation = validator.explain(error, undefined, schema)
    expect(explanation.message).toContain(message)
    expect(JSON.stringify(explanation)).not.toContain('email')
  })
})
