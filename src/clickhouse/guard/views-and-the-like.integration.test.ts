import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { toAccessXml } from '../../../test/support/access-xml.ts'
import { canonicalStatements } from '../../../test/support/canonical-statements.ts'
import { type GrantedServer, startGrantedServer } from '../../../test/support/granted-server.ts'
import { createLogger } from '../../base/logger.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { scopeOfSchema } from '../../warehouse/scope-of-schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { SchemaCatalog } from '../catalog/schema-catalog.ts'
import { CLICKHOUSE_LIMITS } from '../limits.ts'
import { openWarehouse } from '../open-warehouse.ts'
import { EngineSqlGuard } from './engine-sql-guard.ts'

const WORLD = [
  'CREATE DATABASE sales',
  'CREATE TABLE sales.orders (id UInt64, vendor_id UInt64) ENGINE = MergeTree ORDER BY id',
  'CREATE TABLE sales.vendors (id UInt64, name String) ENGINE = MergeTree ORDER BY id',
  'CREATE TABLE sales.salaries (id UInt64) ENGINE = MergeTree ORDER BY id',
  "INSERT INTO sales.vendors VALUES (1, 'one')",
  'CREATE VIEW sales.v AS SELECT o.id, v.name FROM sales.orders AS o INNER JOIN sales.vendors AS v ON v.id = o.vendor_id',
  'CREATE VIEW sales.v_invoker SQL SECURITY INVOKER AS SELECT id FROM sales.orders',
  'CREATE VIEW sales.v_of_v AS SELECT id FROM sales.v',
  'CREATE VIEW sales.v_salaries AS SELECT id FROM sales.salaries',
  'CREATE MATERIALIZED VIEW sales.mv ENGINE = MergeTree ORDER BY id AS SELECT id FROM sales.orders',
  "CREATE TABLE sales.merged AS sales.orders ENGINE = Merge('sales', '^orders$')",
  "CREATE TABLE sales.buffered AS sales.orders ENGINE = Buffer('sales', 'orders', 1, 10, 100, 10, 100, 1000, 10000)",
  "CREATE TABLE sales.aliased ENGINE = Alias('sales', 'orders')",
  "CREATE DICTIONARY sales.dictionary (id UInt64, name String) PRIMARY KEY id SOURCE(CLICKHOUSE(DB 'sales' TABLE 'vendors')) LAYOUT(FLAT()) LIFETIME(0)",
]
const TABLES = new Set(['sales.orders', 'sales.vendors'])
const OTHERS = ['v', 'v_invoker', 'v_of_v', 'v_salaries', 'mv', 'merged', 'buffered', 'aliased', 'dictionary']
const signal = AbortSignal.timeout(120_000)
const logger = createLogger({ level: 'silent' })

let server: GrantedServer
let warehouse: Warehouse
let guard: EngineSqlGuard
let schema: Schema

beforeAll(async () => {
  const reader = (await canonicalStatements('deploy/clickhouse/reader.sql')).filter(statement => !/^GRANT SELECT/.test(statement))
  const grants = [...TABLES].map(table => `GRANT SELECT ON ${table} TO clew_questions`)
  // The user may list the views but may not read their rows.
  const { xml } = toAccessXml([...reader, ...grants, 'GRANT SHOW TABLES, SHOW COLUMNS ON sales.* TO clew_questions'], {
    user: 'clew_reader',
  })
  server = await startGrantedServer({ world: WORLD, usersXml: xml })
  const { maxBytes, timeoutMs } = CLICKHOUSE_LIMITS.query
  warehouse = await openWarehouse({ url: server.url, database: 'sales', maxBytes, timeoutMs, logger }, signal)
  const store = createMemoryStateStore({ now: Date.now })
  const catalog = new SchemaCatalog({ warehouse, store, logger }, { databases: ['sales'] })
  schema = await catalog.load(signal)
  await catalog.close()
  guard = new EngineSqlGuard({ warehouse })
})

afterAll(async () => {
  await warehouse?.close()
  await server?.close()
})

describe('a view, a dictionary, a table that reads another', () => {
  it.each(OTHERS)('is refused, as a server with exact grants refuses it: %s', async name => {
    const sql = `SELECT id FROM ${name}`
    await expect(warehouse.read({ sql }, signal)).rejects.toMatchObject({ kind: 'denied' })
    const verdict = await guard.check(sql, scopeOfSchema(schema, ['sales'], TABLES), signal)
    expect(verdict).toMatchObject({ verdict: 'reject', code: 'out_of_scope' })
  })

  it('is trusted if it is in the scope', async () => {
    const tables = new Set(OTHERS.map(name => `sales.${name}`))
    for (const name of OTHERS) {
      const verdict = await guard.check(`SELECT id FROM ${name}`, { database: 'sales', tables }, signal)
      expect(verdict).toMatchObject({ verdict: 'allow', tables: [`sales.${name}`] })
    }
  })

  it('tells no name of a table whose rows it has', async () => {
    const all = scopeOfSchema(schema, ['sales'])
    const of = (sql: string) => guard.check(sql, all, signal)
    for (const sql of [
      'SELECT DISTINCT _database, _table FROM merged',
      "SELECT count() FROM sales.merged AS m WHERE m._table = 'salaries'",
      'SELECT id FROM buffered GROUP BY id, _table',
    ]) {
      expect(await of(sql)).toMatchObject({
        verdict: 'reject',
        code: 'out_of_scope',
        message: expect.stringContaining('private'),
      })
    }
    expect(await of('SELECT id FROM merged')).toMatchObject({ verdict: 'allow' })
    expect(await of('SELECT count(), _part FROM orders GROUP BY _part')).toMatchObject({ verdict: 'allow' })
  })

  it("is refused with the names of the scope's tables that it reads", async () => {
    const message = async (name: string) => {
      const verdict = await guard.check(`SELECT id FROM ${name}`, scopeOfSchema(schema, ['sales'], TABLES), signal)
      return verdict.verdict === 'reject' ? verdict.message : ''
    }
    expect(schema.tables.map(({ name }) => name)).toContain('v')
    expect(await message('v')).toBe('View v is not available; it reads orders, vendors, which are.')
    expect(await message('sales.mv')).toBe('View sales.mv is not available; it reads orders, which is.')
  })

  it('that reads nothing of the scope is treated like a missing one', async () => {
    const message = async (name: string) => {
      const verdict = await guard.check(`SELECT id FROM ${name}`, scopeOfSchema(schema, ['sales'], TABLES), signal)
      return verdict.verdict === 'reject' ? verdict.message.replace(name, '…') : ''
    }
    expect(await message('v_salaries')).toBe('Table … is not available. Available: orders, vendors.')
    expect(await message('v_of_v')).toBe('Table … is not available. Available: orders, vendors.')
    expect(await message('no_such_view')).toBe('Table … is not available. Available: orders, vendors.')
  })
})
