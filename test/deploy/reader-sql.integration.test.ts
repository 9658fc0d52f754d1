import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { CheckResult } from '../../src/base/check.ts'
import { runCheck } from '../../src/base/check.ts'
import { createLogger } from '../../src/base/logger.ts'
import { checkWarehouse } from '../../src/clickhouse/check-warehouse.ts'
import { EngineSqlGuard } from '../../src/clickhouse/guard/engine-sql-guard.ts'
import { CLIENT_CLOSE_SETTING } from '../../src/clickhouse/judge-reader-settings.ts'
import { CLICKHOUSE_LIMITS, READER_SETTINGS } from '../../src/clickhouse/limits.ts'
import { openWarehouse } from '../../src/clickhouse/open-warehouse.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'
import { type AccessXml, toAccessXml } from '../support/access-xml.ts'
import { canonicalStatements } from '../support/canonical-statements.ts'
import { type GrantedServer, startGrantedServer } from '../support/granted-server.ts'

const WORLD = [
  'CREATE TABLE default.orders (id UInt64, amount Decimal(38, 10), rate Float64) ENGINE = MergeTree ORDER BY id',
  "INSERT INTO default.orders SELECT 18446744073709551615, toDecimal128('1234567890123456789.0123456789', 10), nan",
  'CREATE DATABASE private',
  'CREATE TABLE private.salaries (id UInt64) ENGINE = MergeTree ORDER BY id',
]
const logger = createLogger({ level: 'silent' })
const signal = AbortSignal.timeout(120_000)
const { maxBytes, timeoutMs } = CLICKHOUSE_LIMITS.query

let access: AccessXml
let server: GrantedServer
let warehouse: Warehouse

beforeAll(async () => {
  access = toAccessXml(await canonicalStatements('deploy/clickhouse/reader.sql'), { user: 'clew_reader' })
  server = await startGrantedServer({ world: WORLD, usersXml: access.xml })
  warehouse = await openWarehouse({ url: server.url, database: 'default', maxBytes, timeoutMs, logger }, signal)
})
afterAll(async () => {
  await warehouse?.close()
  await server?.close()
})

describe('deploy/clickhouse/reader.sql', () => {
  it('has exactly the settings of the embedded reader', () => {
    expect(Object.fromEntries(access.profiles.get('clew_reader') ?? [])).toEqual({
      ...READER_SETTINGS,
      readonly: '1',
      [CLIENT_CLOSE_SETTING]: '1',
    })
  })

  it('creates a user that passes `clew doctor`', async () => {
    expect(await check(['default'])).toEqual([
      expect.objectContaining({ check: 'answer', state: 'ok' }),
      expect.objectContaining({ check: 'version', state: 'ok' }),
      expect.objectContaining({ check: 'SQL guard', state: 'ok' }),
      expect.objectContaining({ check: 'numbers', state: 'ok' }),
      expect.objectContaining({ check: 'profile', state: 'ok', found: 'read-only, every limit set' }),
      expect.objectContaining({ check: 'grants', state: 'ok' }),
      expect.objectContaining({ check: 'tables', state: 'ok', found: 'default: 1 table' }),
    ])
  })

  it('has numbers arrive exactly', async () => {
    const { rows } = await warehouse.read({ sql: 'SELECT id, amount, rate, -1 / 0 FROM orders', maxRows: 10 }, signal)
    expect(rows).toEqual([['18446744073709551615', '1234567890123456789.0123456789', 'nan', '-inf']])
  })

  it('lets the SQL guard work', async () => {
    const guard = new EngineSqlGuard({ warehouse })
    const scope = { database: 'default', tables: new Set(['default.orders']) }
    expect(await guard.check('SELECT count() FROM orders', scope, signal)).toMatchObject({ verdict: 'allow' })
  })

  it.each([
    ['another database', 'SELECT * FROM private.salaries', 'denied'],
    ['writing', 'INSERT INTO orders SELECT 1, 1, 1', 'denied'],
    ['a file', "SELECT * FROM file('/etc/hostname')", 'denied'],
    ['a URL', "SELECT * FROM url('http://127.0.0.1:1/', LineAsString)", 'denied'],
    ['a higher limit', 'SELECT 1 SETTINGS max_execution_time = 1000', 'denied'],
    ['users', 'SELECT * FROM system.users', 'denied'],
  ])('denies %s', async (_, sql, kind) => {
    await expect(warehouse.read({ sql }, signal)).rejects.toMatchObject({ kind })
  })

  it('lists possible databases if CLICKHOUSE_DATABASE names a missing one', async () => {
    expect(await check(['defaults', 'private'])).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          check: 'tables',
          state: 'failed',
          found: 'defaults: there is no such database, or the user may not see it',
          advice: 'What helps: set CLICKHOUSE_DATABASE to one that has tables (default); grant SELECT on defaults.* to the user.',
        }),
        expect.objectContaining({ check: 'tables', state: 'failed', found: expect.stringMatching(/^private: there is no such/) }),
      ]),
    )
  })
})

function check(databases: readonly string[]): Promise<readonly CheckResult[]> {
  const options = { url: server.url, databases, privateColumns: [], requireKnownEngine: false, maxBytes, timeoutMs, logger }
  return runCheck(
    { part: 'warehouse', timeoutMs: 30_000, advice: '' },
    (report, ended) => checkWarehouse(options, report, ended),
    signal,
  )
}
