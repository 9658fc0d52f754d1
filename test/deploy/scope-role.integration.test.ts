import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createLogger } from '../../src/base/logger.ts'
import { CLICKHOUSE_LIMITS } from '../../src/clickhouse/limits.ts'
import { openWarehouse } from '../../src/clickhouse/open-warehouse.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'
import { toAccessXml } from '../support/access-xml.ts'
import { canonicalStatements } from '../support/canonical-statements.ts'
import { startTestEngine } from '../support/engine.ts'
import { type GrantedServer, startGrantedServer } from '../support/granted-server.ts'

const WORLD = [
  'CREATE TABLE default.events (id UInt64) ENGINE = MergeTree ORDER BY id',
  'CREATE DATABASE sales',
  'CREATE TABLE sales.orders (id UInt64) ENGINE = MergeTree ORDER BY id',
  'CREATE TABLE sales.customers (id UInt64, country String, email String) ENGINE = MergeTree ORDER BY id',
  'CREATE TABLE sales.salaries (id UInt64) ENGINE = MergeTree ORDER BY id',
]
const SCOPE = 'clew_scope_sales'
const signal = AbortSignal.timeout(120_000)
const logger = createLogger({ level: 'silent' })

let server: GrantedServer
let warehouse: Warehouse

beforeAll(async () => {
  const statements = [
    ...(await canonicalStatements('deploy/clickhouse/reader.sql')),
    ...(await canonicalStatements('deploy/clickhouse/scope-role.sql')),
  ]
  server = await startGrantedServer({ world: WORLD, usersXml: toAccessXml(statements, { user: 'clew_reader' }).xml })
  const { maxBytes, timeoutMs } = CLICKHOUSE_LIMITS.query
  warehouse = await openWarehouse({ url: server.url, database: 'default', maxBytes, timeoutMs, logger }, signal)
})
afterAll(async () => {
  await warehouse?.close()
  await server?.close()
})

const read = (sql: string, ...roles: readonly string[]) =>
  warehouse.read({ sql, ...(roles.length === 0 ? {} : { roles }) }, signal)

describe('deploy/clickhouse/scope-role.sql', () => {
  it('applies to the user whose default role reader.sql creates', async () => {
    const statements = await canonicalStatements('deploy/clickhouse/scope-role.sql')
    expect(statements).toContain('ALTER USER clew_reader DEFAULT ROLE clew_questions')
  })

  it.each(['SELECT count() FROM sales.orders', 'SELECT id, country FROM sales.customers'])(
    'lets the scope read %s',
    async sql => {
      expect((await read(sql, SCOPE)).columns.length).toBeGreaterThan(0)
    },
  )

  it.each([
    ['a column outside of it', 'SELECT email FROM sales.customers'],
    ['a table outside of it', 'SELECT * FROM sales.salaries'],
    ['what the user may read without the role', 'SELECT * FROM default.events'],
  ])('denies the scope %s', async (_, sql) => {
    await expect(read(sql, SCOPE)).rejects.toMatchObject({ kind: 'denied' })
  })
})

describe('a read with a role', () => {
  it('affects only that read', async () => {
    await read('SELECT count() FROM sales.orders', SCOPE)
    expect((await read('SELECT count() FROM default.events')).rows).toEqual([['0']])
  })

  it('has the combined rights of several roles', async () => {
    expect((await read('SELECT count() FROM sales.orders', SCOPE, 'clew_questions')).rows).toEqual([['0']])
    expect((await read('SELECT count() FROM default.events', SCOPE, 'clew_questions')).rows).toEqual([['0']])
    await expect(read('SELECT * FROM sales.salaries', SCOPE, 'clew_questions')).rejects.toMatchObject({ kind: 'denied' })
  })

  it('is correct for concurrent reads', async () => {
    const roles = [SCOPE, 'clew_questions', SCOPE, 'clew_questions']
    const outcomes = await Promise.allSettled(roles.map(role => read('SELECT count() FROM default.events', role)))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
  })

  it('fails for a role that the user lacks', async () => {
    await expect(read('SELECT 1', 'clew_scope_hr')).rejects.toThrow('clew_scope_hr')
  })

  it('fails on the embedded engine, which has no roles, instead of running without', async () => {
    const engine = await startTestEngine()
    try {
      await expect(engine.warehouse.read({ sql: 'SELECT 1', roles: [SCOPE] }, signal)).rejects.toMatchObject({
        name: 'WarehouseError',
      })
    } finally {
      await engine.close()
    }
  })
})
