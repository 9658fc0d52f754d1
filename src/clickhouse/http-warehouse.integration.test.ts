import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { createLogger } from '../base/logger.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { STARTED_ANEW } from './engine/failure.ts'
import { clickhouseContract } from './http-warehouse.contract.ts'
import { CLICKHOUSE_LIMITS } from './limits.ts'
import { openWarehouse } from './open-warehouse.ts'

let test: TestEngine
beforeAll(async () => {
  test = await startTestEngine()
})
afterAll(() => test.close())
afterEach(() => test.inject())

const signal = () => AbortSignal.timeout(20_000)
const read = (sql: string, maxRows?: number) =>
  test.warehouse.read({ sql, ...(maxRows === undefined ? {} : { maxRows }) }, signal())

describe('the warehouse on the embedded engine', () => {
  clickhouseContract(() => test.warehouse, 'default')
})

/**
 * The address of an optional server for tests: `http://user:password@host:8123/`. Its user must be able to write to the database
 * `clew_contract`.
 */
const OWN_SERVER = process.env.CLEW_TEST_CLICKHOUSE_URL

describe.each([
  ['readonly = 0', () => asUser('reader-unrestricted')],
  ['readonly = 2', () => asUser('reader-changing-settings')],
  ...(OWN_SERVER === undefined ? [] : [['of one’s own', () => OWN_SERVER] as const]),
])('the warehouse on a server whose user is %s', (name, url) => {
  let warehouse: Warehouse
  let writable: Warehouse
  beforeAll(async () => {
    const logger = createLogger({ level: 'silent' })
    warehouse = await openWarehouse({ url: url(), database: 'default', maxBytes: 1_000_000, timeoutMs: 20_000, logger }, signal())
    // The user with `readonly = 2` cannot write, so this user's tests write as the owner.
    const write: Warehouse['write'] =
      name === 'readonly = 2' ? (...args) => test.warehouse.write(...args) : (...args) => warehouse.write(...args)
    writable = {
      description: warehouse.description,
      read: (...args) => warehouse.read(...args),
      readOwn: (...args) => warehouse.readOwn(...args),
      write,
      close: async () => {},
    }
  })
  afterAll(() => warehouse.close())
  clickhouseContract(() => writable, 'default')

  it('does not reveal passwords', () => {
    expect(warehouse.description).toMatch(/^ClickHouse at http:\/\/[\w.:]+ as [\w-]+$/)
  })
})

function asUser(user: string): string {
  return test.url.replace('//reader:', `//${user}:`)
}

describe('limits', () => {
  it('cuts at the byte limit, at a whole row, and ends the query', async () => {
    const result = await read("SELECT number, repeat('x', 1000) FROM numbers(40000)")
    expect(result.truncated).toBe(true)
    expect(result.rows.length).toBeGreaterThan(9_000)
    expect(result.rows.length).toBeLessThan(10_000)
    expect(result.rows.every((row, index) => row[0] === String(index) && String(row[1]).length === 1_000)).toBe(true)
  })

  it('cuts at the room that the asker has for results, and says how much it took', async () => {
    let taken = 0
    const room = { bytesLeft: () => 100_000 - taken, took: (bytes: number) => (taken += bytes) }
    const sql = "SELECT number, repeat('x', 1000) FROM numbers(60)"
    const [whole, cut] = [await test.warehouse.read({ sql, room }, signal()), await test.warehouse.read({ sql, room }, signal())]
    expect([whole.truncated, whole.rows.length, cut.truncated]).toEqual([false, 60, true])
    expect(cut.rows.length).toBeLessThan(40)
    expect(taken).toBe(100_000)
  })

  it('cuts a result with too many values, nested ones included, if it is for a question', async () => {
    const sql = 'SELECT range(400) AS a FROM numbers(5000)'
    const { rows, truncated } = await read(sql, 10_000)
    expect(truncated).toBe(true)
    expect(rows.length).toBeGreaterThan(2_000)
    expect(rows.length * 400).toBeLessThan(1_100_000)
    expect(rows.at(-1)?.[0]).toHaveLength(400)
    expect(await read(sql)).toMatchObject({ truncated: false })
  })

  it('refuses a first row beyond the byte limit: without rows the result would look empty', async () => {
    expect(await read("SELECT repeat('x', 1000000), repeat('y', 1000000) FROM numbers(20)")).toMatchObject({ truncated: true })
    await expect(read("SELECT arrayMap(i -> repeat('x', 1000000), range(20))")).rejects.toMatchObject({ kind: 'resource' })
  })

  it.each([
    ['SELECT uniqExact(number) FROM numbers(300000000)', 'resource'],
    ["SELECT materialize(repeat('x', 100000)) FROM numbers(1000)", 'resource'],
    ['WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT count() FROM t', 'resource'],
    [`WITH 1 AS a0${Array.from({ length: 20 }, (_, i) => `, (a${i}, a${i}) AS a${i + 1}`).join('')} SELECT a20`, 'resource'],
  ])('ends %s by a limit', async (sql, kind) => {
    await expect(read(sql, 10_000)).rejects.toMatchObject({ kind })
  })
})

describe('faults', () => {
  it('repeats a query that a busy server refused (202), also a write', async () => {
    await test.inject({ kind: 'exception', code: 202, message: 'Too many simultaneous queries', times: 2 })
    expect((await read('SELECT 1')).rows).toEqual([[1]])
    await test.inject({ kind: 'exception', code: 202, message: 'Too many simultaneous queries', times: 2 })
    await test.warehouse.write({ sql: 'DROP TABLE IF EXISTS nothing' }, signal())
  })

  it('gives up on a server that stays busy', async () => {
    await test.inject({ kind: 'exception', code: 202, message: 'Too many simultaneous queries', times: 100 })
    await expect(read('SELECT 1')).rejects.toMatchObject({ kind: 'unavailable', serverCode: 202, retryable: true })
  })

  it('repeats a read after a lost connection to an engine that has refused it many times while it ends', async () => {
    await test.inject(
      { kind: 'exception', code: 202, message: STARTED_ANEW, matching: 'engine-ends', times: 7 },
      { kind: 'reset', matching: 'engine-ends' },
    )
    expect((await read("SELECT 'engine-ends'")).rows).toEqual([['engine-ends']])
  })

  it('repeats a read once after a lost connection, and never a write', async () => {
    await test.inject({ kind: 'reset', matching: 'reset-once' })
    expect((await read("SELECT 'reset-once'")).rows).toEqual([['reset-once']])
    await test.inject({ kind: 'reset', matching: 'reset-twice', times: 2 })
    await expect(read("SELECT 'reset-twice'")).rejects.toMatchObject({ kind: 'unavailable' })
    await test.inject({ kind: 'reset', matching: 'reset_write' })
    await expect(test.warehouse.write({ sql: 'DROP TABLE IF EXISTS reset_write' }, signal())).rejects.toMatchObject({
      kind: 'unavailable',
    })
    const sent = (await test.receivedQueries()).map(({ sql }) => sql)
    expect(sent.filter(sql => sql.includes('reset-twice'))).toHaveLength(2)
    expect(sent.filter(sql => sql.includes('reset_write'))).toHaveLength(1)
  })

  it('waits for memory held by other queries, not for memory that the query itself needs', async () => {
    await test.inject({ kind: 'exception', code: 241, message: '(total) memory limit exceeded: would use 3.7 GiB', times: 2 })
    expect((await read('SELECT 1')).rows).toEqual([[1]])
    await test.inject({ kind: 'exception', code: 241, message: 'Query memory limit exceeded', times: 1 })
    await expect(read('SELECT 1')).rejects.toMatchObject({ kind: 'resource', serverCode: 241 })
  })

  const ROWS = 'SELECT number AS broken FROM numbers(1000)'

  it.each([0, 10, 200, 3_000])('returns nothing of a result that breaks off after %i bytes', async afterBytes => {
    await test.inject({ kind: 'break', afterBytes, matching: 'broken', times: 10 })
    await expect(read(ROWS)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('reads again after a result broke off once', async () => {
    await test.inject({ kind: 'break', afterBytes: 3_000, matching: 'broken' })
    expect((await read(ROWS)).rows).toHaveLength(1_000)
  })

  it.each([
    ['with a tag (25.11 and later)', { tag: 'PU1FNUFH98abcdef' }],
    ['without a tag', {}],
  ])('returns nothing of a result that ends in an exception, HTTP 200, %s', async (_name, tag) => {
    const fault = { kind: 'exception_after_rows', matching: 'broken', code: 241, message: 'Query memory limit exceeded' } as const
    for (const afterBytes of [0, 90, 3_000, 1_000_000]) {
      await test.inject({ ...fault, ...tag, afterBytes })
      await expect(read(ROWS)).rejects.toMatchObject({
        kind: 'resource',
        serverCode: 241,
        message: 'Query memory limit exceeded',
      })
    }
  })

  it('returns nothing of a complete document that carries an exception', async () => {
    await test.inject({ kind: 'exception_in_document', matching: 'broken', code: 159, message: 'Timeout exceeded' })
    await expect(read(ROWS)).rejects.toMatchObject({ kind: 'timeout', serverCode: 159 })
  })

  it('is not misled by rows that look like exceptions', async () => {
    const text = '__exception__ Code: 241. DB::Exception: Memory limit exceeded (MEMORY_LIMIT_EXCEEDED)'
    expect((await read(`SELECT '${text}'`)).rows).toEqual([[text]])
  })

  it('stops at its deadline even if the server is silent', async () => {
    await test.inject({ kind: 'delay', milliseconds: 15_000, matching: 'silent' })
    const startedAt = Date.now()
    await expect(test.warehouse.read({ sql: "SELECT 'silent'", timeoutMs: 300 }, signal())).rejects.toMatchObject({
      kind: 'timeout',
    })
    expect(Date.now() - startedAt).toBeLessThan(14_500)
  })

  it('survives a socket that was idle longer than the server keeps it', async () => {
    expect(CLICKHOUSE_LIMITS.connection.idleSocketTtlMs).toBeLessThan(CLICKHOUSE_LIMITS.engine.keepAliveMs)
    expect(CLICKHOUSE_LIMITS.connection.idleSocketTtlMs).toBeLessThan(3_000)
  })

  it('records every received query text, with its user', async () => {
    await read("SELECT 'recorded'")
    expect((await test.receivedQueries()).filter(({ sql }) => sql.includes("'recorded'"))).toEqual([
      { user: 'reader', sql: "SELECT 'recorded'\nFORMAT JSONCompact", parameters: {} },
    ])
  })
})
