import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { createLogger } from '../base/logger.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { openWarehouse } from './open-warehouse.ts'

const signal = () => AbortSignal.timeout(20_000)
const opened: Warehouse[] = []
let test: TestEngine
let folder: string

beforeAll(async () => {
  test = await startTestEngine()
  folder = await mkdtemp(join(tmpdir(), 'clew-test-warehouse-'))
})
afterEach(async () => {
  await test.inject()
  await Promise.all(opened.splice(0).map(warehouse => warehouse.close()))
})
afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true, force: true })
})

async function open(url: string, timeoutMs = 10_000): Promise<Warehouse> {
  const logger = createLogger({ level: 'silent' })
  const warehouse = await openWarehouse({ url, database: 'default', maxBytes: 1_000_000, timeoutMs, logger }, signal())
  opened.push(warehouse)
  return warehouse
}

/** Tries to open the warehouse and returns the error. Checks that neither the error nor its causes contain the password. */
async function failure(url: string): Promise<unknown> {
  const error: unknown = await open(url).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  const password = URL.canParse(url) ? new URL(url).password : ''
  if (password !== '')
    for (let part = error; part instanceof Error; part = part.cause)
      expect(`${part.message} ${part.stack}`).not.toContain(password)
  return error
}

describe('an embedded engine', () => {
  it('is private in memory', async () => {
    const [one, two] = await Promise.all([open('chdb:memory'), open('chdb:memory')])
    await one.write({ sql: 'CREATE TABLE mine (a UInt8) ENGINE = MergeTree ORDER BY a' }, signal())
    await expect(two.read({ sql: 'SELECT * FROM mine' }, signal())).rejects.toMatchObject({ kind: 'unknown_name' })
    expect(one.description).toBe('embedded ClickHouse in memory')
  })

  it('is shared by folder', async () => {
    const [one, two] = await Promise.all([open(`chdb:${folder}`), open(`chdb:${folder}`)])
    await one.write({ sql: 'CREATE TABLE ours (a UInt8) ENGINE = MergeTree ORDER BY a' }, signal())
    expect((await two.read({ sql: 'SELECT count() FROM ours' }, signal())).rows).toEqual([['0']])
  })

  it('enforces its time limit in the engine itself', async () => {
    const warehouse = await open('chdb:memory', 3_000)
    const { rows } = await warehouse.read(
      { sql: "SELECT toFloat64(getSetting('max_execution_time')), getSetting('readonly')" },
      signal(),
    )
    expect(rows).toEqual([[3, 1]])
  })
})

describe('a server', () => {
  it('with a user of fixed settings gets none', async () => {
    await (await open(test.url)).read({ sql: "SELECT 'fixed'" }, signal())
    expect((await test.receivedQueries()).at(-1)).toMatchObject({ user: 'reader' })
  })

  it.each(['reader-changing-settings', 'reader-unrestricted'])('with user %s gets the limits with each query', async user => {
    const warehouse = await open(test.url.replace('//reader:', `//${user}:`))
    const { rows } = await warehouse.read(
      {
        sql: "SELECT toFloat64(getSetting('max_execution_time')), getSetting('max_result_bytes') > 0, getSetting('readonly') > 0",
        timeoutMs: 4_000,
      },
      signal(),
    )
    expect(rows).toEqual([[4, 1, 1]])
  })
})

describe('an invalid CLICKHOUSE_URL', () => {
  it.each(['', 'nonsense', 'ftp://host', 'chdb:', 'http://', 'postgres://user:secret-password@host/db'])(
    '%j is a configuration error',
    async url => {
      expect(await failure(url)).toMatchObject({
        code: 'configuration',
        message: expect.stringMatching(/^CLICKHOUSE_URL must be /),
      })
    },
  )

  it('with a wrong password or user', async () => {
    const wrong = test.url.replace(/:\/\/reader:[^@]+/, '://reader:wrong-password')
    expect(await failure(wrong)).toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/^CLICKHOUSE_URL: .* as reader cannot be used: .*Authentication failed/),
    })
    expect(await failure(test.url.replace('//reader:', '//nobody:'))).toMatchObject({ code: 'configuration' })
  })

  it('if nothing listens', async () => {
    const startedAt = Date.now()
    expect(await failure('http://user:secret-password@127.0.0.1:1')).toMatchObject({
      name: 'WarehouseError',
      kind: 'unavailable',
      message: expect.stringMatching(/^CLICKHOUSE_URL: ClickHouse at http:\/\/127\.0\.0\.1:1 as user .*ECONNREFUSED/),
    })
    expect(Date.now() - startedAt).toBeLessThan(30_000)
  })

  it('if the host has no address', async () => {
    expect(await failure('http://user:secret-password@no-such-host.invalid:8123')).toMatchObject({ kind: 'unavailable' })
  })

  it.each([
    [200, '<html>hello</html>'],
    [404, 'not found'],
    [301, 'moved'],
  ])('if something else answers with HTTP status %i', async (status, body) => {
    const other = createServer((request, response) => {
      request.resume()
      response.writeHead(status, { 'Content-Type': 'text/html' }).end(body)
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    expect(await failure(`http://user:secret-password@127.0.0.1:${port}`)).toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/^CLICKHOUSE_URL: /),
    })
    other.closeAllConnections()
    other.close()
  })

  it('if the read-only profile would return wrong numbers', async () => {
    const row = JSON.stringify({
      meta: [],
      data: [['1', '0', '0', '0', '0', '1']],
      statistics: { rows_read: 1, bytes_read: 1 },
    })
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'X-ClickHouse-Query-Id': 'q' }).end(row)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(await failure(`http://user:secret-password@127.0.0.1:${port}`)).toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('output_format_json_quote_64bit_integers = 1'),
    })
    server.closeAllConnections()
    server.close()
  })
})
