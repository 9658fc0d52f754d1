import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { type CheckResult, runCheck } from '../base/check.ts'
import { createLogger } from '../base/logger.ts'
import { checkWarehouse } from './check-warehouse.ts'
import { CLICKHOUSE_LIMITS } from './limits.ts'

const signal = AbortSignal.timeout(120_000)
let engine: TestEngine

beforeAll(async () => {
  engine = await startTestEngine()
  await engine.warehouse.write({ sql: 'CREATE TABLE default.orders (id UInt64) ENGINE = MergeTree ORDER BY id' }, signal)
  await engine.warehouse.write({ sql: 'CREATE DATABASE empty' }, signal)
})
afterAll(() => engine?.close())

// These tests create users of their own. A test in test/deploy checks the user that reader.sql creates.
describe('checkWarehouse', () => {
  it('warns of a user with write access, and of rights that questions do not need', async () => {
    for (const [user, found] of [
      ['reader-unrestricted', 'readonly = 0'],
      ['reader-changing-settings', 'readonly = 2'],
    ] as const) {
      const results = await check({ url: engine.url.replace('//reader:', `//${user}:`) })
      expect(find(results, 'profile')).toMatchObject({
        state: 'warning',
        found: expect.stringContaining(found),
        advice: expect.stringContaining('reader.sql'),
      })
      expect(find(results, 'grants')).toMatchObject({
        state: 'warning',
        found: expect.stringContaining('SELECT on every database'),
      })
      expect(results.filter(result => result.state === 'failed')).toEqual([])
    }
  })

  it('checks the embedded engine and its disk', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'clew-check-'))
    try {
      const results = await check({ url: `chdb:${directory}` })
      expect(results.map(result => [result.check, result.state])).toEqual([
        ['answer', 'ok'],
        ['version', 'ok'],
        ['SQL guard', 'ok'],
        ['rights', 'ok'],
        ['disk', expect.stringMatching(/^ok|warning$/)],
        ['tables', 'failed'],
      ])
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })

  it('suggests similar database names', async () => {
    const results = await check({ databases: ['defualt', 'empty'] })
    expect(results.filter(result => result.check === 'tables')).toEqual([
      expect.objectContaining({ state: 'failed', advice: expect.stringContaining('one that has tables (default)') }),
      expect.objectContaining({ state: 'failed', found: expect.stringMatching(/^empty: no table is there/) }),
    ])
  })

  it('warns of a private column that is misspelt', async () => {
    const privateOf = async (...privateColumns: string[]) => find(await check({ privateColumns }), 'private columns')
    expect(await privateOf()).toBe(undefined)
    expect(await privateOf('orders.id', 'ID')).toMatchObject({ state: 'ok', found: '1 column is private' })
    expect(await privateOf('orders.id', 'orders.emial')).toMatchObject({
      state: 'warning',
      found: '1 column is private, but none by orders.emial',
      advice: expect.stringContaining('CLEW_PRIVATE_COLUMNS'),
    })
  })

  it('says how to correct wrong credentials, without the password', async () => {
    const results = await check({ url: engine.url.replace(/:[^:@/]+@/, ':wrong-password@') })
    expect(results).toEqual([
      expect.objectContaining({
        check: 'answer',
        state: 'failed',
        advice: expect.stringContaining('password in CLICKHOUSE_URL'),
      }),
    ])
    expect(JSON.stringify(results)).not.toContain('wrong-password')
  })

  it('says what to check if nothing answers', async () => {
    const results = await check({ url: 'http://reader:secret-enough@127.0.0.1:1' })
    expect(results).toEqual([expect.objectContaining({ state: 'failed', advice: expect.stringContaining('host and port') })])
  })

  it.each([
    ['24.8.14.1', 'failed', /too old/],
    ['26.9.1.1', 'warning', /SQL guard was written for 26\.7/],
    ['26.7.9.1', 'ok', /^ClickHouse 26\.7\.9\.1$/],
  ])('judges version %s', async (version, state, found) => {
    const server = createServer((_, response) =>
      response
        .setHeader('x-clickhouse-format', 'JSONCompact')
        .end(JSON.stringify({ meta: [{ name: 'version', type: 'String' }], data: [[version]], rows: 1 })),
    ).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const results = await check({ url: `http://127.0.0.1:${port}` })
    expect(find(results, 'version')).toMatchObject({ state, found: expect.stringMatching(found) })
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
})

function check(given: Partial<Parameters<typeof checkWarehouse>[0]>): Promise<readonly CheckResult[]> {
  const { maxBytes, timeoutMs } = CLICKHOUSE_LIMITS.query
  const logger = createLogger({ level: 'silent' })
  const options = {
    url: engine.url,
    databases: ['default'],
    privateColumns: [],
    requireKnownEngine: false,
    maxBytes,
    timeoutMs,
    logger,
    ...given,
  }
  return runCheck(
    { part: 'warehouse', timeoutMs: 30_000, advice: '' },
    (report, ended) => checkWarehouse(options, report, ended),
    signal,
  )
}

function find(results: readonly CheckResult[], name: string): CheckResult | undefined {
  return results.find(result => result.check === name)
}
