import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@clickhouse/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { CLICKHOUSE_LIMITS } from '../limits.ts'
import { SERVER_CODES } from '../server-codes.ts'
import { STATUS_OF_CODES } from './http-status.ts'
import type { EngineEndpoint } from './open-embedded-engine.ts'

let test: TestEngine
let endpoint: EngineEndpoint

beforeAll(async () => {
  test = await startTestEngine()
  endpoint = await test.engine.endpoint(AbortSignal.timeout(10_000))
})
afterAll(() => test.close())
beforeEach(() => test.inject())

type User = 'reader' | 'owner' | 'reader-changing-settings' | 'reader-unrestricted'

/** Sends one HTTP request in the form that curl uses. */
async function post(user: User, sql: string, parameters: Record<string, string> = {}, options: RequestInit = {}) {
  const url = new URL(endpoint.reader.url)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const response = await fetch(url, {
    method: 'POST',
    body: sql,
    ...options,
    headers: {
      'X-ClickHouse-User': user,
      'X-ClickHouse-Key': user === 'owner' ? endpoint.writer.password : endpoint.reader.password,
      ...options.headers,
    },
  })
  return {
    status: response.status,
    code: response.headers.get('x-clickhouse-exception-code'),
    headers: response.headers,
    text: await response.text(),
  }
}

/** Returns a query that runs until it is killed. The marker in the SQL identifies the query. */
const endless = (marker: string) =>
  `SELECT count() FROM numbers(1000000) AS a, numbers(1000000) AS b WHERE sipHash64(a.number, b.number, '${marker}') = 1`

async function running(marker: string): Promise<number> {
  const { text } = await post(
    'owner',
    `SELECT count() FROM system.processes WHERE query LIKE '%${marker}%' AND query NOT LIKE '%system.processes%'`,
  )
  return Number(text)
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('waited in vain')
    await delay(20)
  }
}

describe('as a ClickHouse server', () => {
  it('answers ping without credentials', async () => {
    expect(await (await fetch(`${endpoint.reader.url}/ping`)).text()).toBe('Ok.\n')
  })

  it('answers a query with its id, a summary and the default format', async () => {
    const { status, headers, text } = await post('reader', 'SELECT number FROM numbers(3)', { query_id: 'q-1' })
    expect([status, text]).toEqual([200, '0\n1\n2\n'])
    expect(headers.get('x-clickhouse-query-id')).toBe('q-1')
    expect(JSON.parse(headers.get('x-clickhouse-summary') ?? '')).toMatchObject({ read_rows: '3' })
  })

  it('takes the format from the statement, the URL or the header', async () => {
    expect((await post('reader', 'SELECT 1 AS a FORMAT JSONEachRow')).text).toBe('{"a":1}\n')
    expect((await post('reader', 'SELECT 1 AS a', { default_format: 'CSVWithNames' })).text).toBe('"a"\n1\n')
    expect((await post('reader', 'SELECT 1 AS a', {}, { headers: { 'X-ClickHouse-Format': 'JSONEachRow' } })).text).toBe(
      '{"a":1}\n',
    )
  })

  it('takes the query from the URL, the body, or both in that order', async () => {
    expect((await post('reader', '', { query: 'SELECT 1' })).text).toBe('1\n')
    const url = `${endpoint.reader.url}/?query=${encodeURIComponent('SELECT 2')}&user=reader&password=${endpoint.reader.password}`
    expect(await (await fetch(url)).text()).toBe('2\n')
  })

  it.each([
    ['plain', 'plain'],
    ['quote \' and "', 'quote \' and "'],
    ['tab\\tnewline\\nback\\\\slash', 'tab\tnewline\nback\\slash'],
    ["'; DROP TABLE x; --", "'; DROP TABLE x; --"],
    ['é 日本', 'é 日本'],
  ])('binds the parameter %j', async (sent, value) => {
    expect((await post('reader', 'SELECT {p:String} FORMAT TSVRaw', { param_p: sent })).text).toBe(`${value}\n`)
  })

  it('binds numbers and arrays, and refuses unbound ones', async () => {
    expect((await post('reader', 'SELECT {n:UInt8} + 1, {a:Array(String)}', { param_n: '2', param_a: "['x','y']" })).text).toBe(
      "3\t['x','y']\n",
    )
    expect((await post('reader', 'SELECT {n:UInt8}')).code).toBe('456')
    expect((await post('reader', 'SELECT {n:UInt8}', { param_n: 'x' })).code).toBe('457')
  })

  it('separates the parameters of simultaneous queries', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => post('reader', 'SELECT {p:String}', { param_p: `v${index}` })),
    )
    expect(answers.map(({ text }) => text.trim())).toEqual(answers.map((_, index) => `v${index}`))
  })

  it('uses the database of the URL or the header', async () => {
    expect((await post('reader', 'SELECT currentDatabase()', { database: 'system' })).text).toBe('system\n')
    await post('owner', 'CREATE DATABASE IF NOT EXISTS `d é`')
    const latin1 = Buffer.from('d é').toString('latin1')
    expect((await post('reader', 'SELECT currentDatabase()', {}, { headers: { 'X-ClickHouse-Database': latin1 } })).text).toBe(
      'd é\n',
    )
    expect(await post('reader', 'SELECT 1', { database: 'nowhere' })).toMatchObject({ status: 404, code: '81' })
  })

  it('compresses only on request', async () => {
    expect((await post('reader', 'SELECT 1')).headers.get('content-encoding')).toBeNull()
    const compressed = await post('reader', 'SELECT 7', { enable_http_compression: '1' })
    expect([compressed.headers.get('content-encoding'), compressed.text]).toEqual(['gzip', '7\n'])
  })

  it.each([
    ['SELEC 1', 400, '62'],
    ['SELECT nothing_of_the_kind', 404, '47'],
    ['SELECT * FROM nowhere', 404, '60'],
    ["SELECT throwIf(1, 'boom')", 500, '395'],
    ['SELECT sleep(3) SETTINGS max_execution_time = 1', 500, '164'],
  ])('answers %s with HTTP status %i and code %s', async (sql, status, code) => {
    const answer = await post('reader', sql)
    expect(answer).toMatchObject({ status, code })
    expect(answer.text).toMatch(new RegExp(`^Code: ${code}\\. DB::Exception: `))
  })

  it('refuses wrong and missing credentials', async () => {
    const wrong = await post('reader', 'SELECT 1', {}, { headers: { 'X-ClickHouse-Key': 'wrong' } })
    expect(wrong).toMatchObject({ status: 403, code: '516' })
    expect((await fetch(endpoint.reader.url, { method: 'POST', body: 'SELECT 1' })).status).toBe(403)
    expect((await fetch(`${endpoint.reader.url}/engine/received`)).status).toBe(403)
  })

  it('refuses a second query with the id of a running one', async () => {
    const first = new AbortController()
    const pending = post('reader', endless('sameid'), { query_id: 'same' }, { signal: first.signal }).catch(() => 'aborted')
    await until(async () => (await running('sameid')) === 1)
    expect((await post('reader', 'SELECT 1', { query_id: 'same' })).code).toBe('216')
    first.abort()
    expect(await pending).toBe('aborted')
  })

  it('uses the codes in its tables', async () => {
    const tables = [...Object.values(SERVER_CODES), ...Object.values(STATUS_OF_CODES)].flatMap(codes => Object.entries(codes))
    const expected = tables.map(([name, code]) => `${code}\t${name}`)
    const { text } = await post(
      'reader',
      `SELECT c, errorCodeToName(c) FROM (SELECT arrayJoin([${tables.map(([, code]) => code).join(', ')}]) AS c)`,
    )
    expect(text.trim().split('\n')).toEqual(expected)
  })
})

describe('statements', () => {
  it('runs one statement at a time', async () => {
    expect(await post('owner', 'SELECT 1; SELECT 2')).toMatchObject({ status: 400, code: '62' })
    expect((await post('owner', "SELECT ';' ; ")).text).toBe(';\n')
    expect((await post('owner', "SELECT 'a; b' -- c; d")).text).toBe('a; b\n')
  })

  it.each([
    "SELECT 1 INTO OUTFILE '/tmp/clew-outfile'",
    "SELECT 1 INTO/**/OUTFILE '/tmp/clew-outfile'",
    "INSERT INTO t FROM INFILE '/etc/hostname' FORMAT TSV",
  ])('refuses %s, as a server does', async sql => {
    expect((await post('owner', sql)).code).toBe('358')
  })

  it.each(['JSONEachRow', 'JSONCompactEachRow'] as const)('inserts the rows of @clickhouse/client as %s', async format => {
    const client = createClient({ url: endpoint.writer.url, username: 'owner', password: endpoint.writer.password })
    await client.command({ query: 'CREATE OR REPLACE TABLE inserted (id UInt32, text String) ENGINE = MergeTree ORDER BY id' })
    const rows = [
      [1, 'a\n\nDROP TABLE inserted;'],
      [2, "b'; SELECT 1"],
    ] as const
    await client.insert({
      table: 'inserted',
      columns: ['id', 'text'],
      format,
      values: rows.map(([id, text]) => (format === 'JSONEachRow' ? { id, text } : [id, text])),
    })
    const result = await client.query({ query: 'SELECT id, text FROM inserted ORDER BY id', format: 'JSONCompactEachRow' })
    expect(await result.json()).toEqual(rows)
    await client.close()
  })

  it('never runs inserted rows as statements', async () => {
    await post('owner', 'CREATE OR REPLACE TABLE rows_only (id UInt32) ENGINE = MergeTree ORDER BY id')
    const answer = await post('owner', '{"id":1}\n\nDROP TABLE rows_only\n', {
      query: 'INSERT INTO rows_only FORMAT JSONEachRow',
    })
    expect(answer.status).not.toBe(200)
    expect((await post('owner', 'EXISTS TABLE rows_only')).text).toBe('1\n')
    expect((await post('owner', 'INSERT INTO rows_only FORMAT JSONEachRow\n{"id":1}\n\n\n{"id":2}')).status).toBe(200)
    expect((await post('owner', 'SELECT sum(id) FROM rows_only')).text).toBe('3\n')
  })
})

describe('users', () => {
  it.each([
    'DROP TABLE kept',
    'CREATE TABLE x (a Int8) ENGINE = Memory',
    'INSERT INTO kept VALUES (1)',
    'ALTER TABLE kept ADD COLUMN b Int8',
  ])('the reader cannot %s', async sql => {
    await post('owner', 'CREATE TABLE IF NOT EXISTS kept (a Int8) ENGINE = MergeTree ORDER BY a')
    expect((await post('reader', sql)).code).toBe('164')
  })

  it('a read-only reader cannot change settings, in the URL or the text', async () => {
    expect((await post('reader', 'SELECT 1', { max_threads: '1' })).code).toBe('164')
    expect((await post('reader', 'SELECT 1 SETTINGS max_threads = 1')).code).toBe('164')
    expect((await post('reader', 'SET max_threads = 1')).code).toBe('164')
  })

  it('readonly = 2 can change anything but readonly', async () => {
    expect((await post('reader-changing-settings', "SELECT getSetting('max_threads')", { max_threads: '3' })).text).toBe('3\n')
    expect((await post('reader-changing-settings', 'SELECT 1', { readonly: '0' })).code).toBe('164')
    expect((await post('reader-changing-settings', 'CREATE TABLE x (a Int8) ENGINE = Memory')).code).toBe('164')
  })

  it('readonly = 0 can lock itself', async () => {
    expect(
      (await post('reader-unrestricted', 'CREATE TABLE x (a Int8) ENGINE = Memory', { readonly: '1', max_threads: '2' })).code,
    ).toBe('164')
  })

  it('a GET changes nothing for any user', async () => {
    const url = `${endpoint.writer.url}/?user=owner&password=${endpoint.writer.password}&query=${encodeURIComponent('CREATE TABLE got (a Int8) ENGINE = Memory')}`
    expect((await fetch(url)).headers.get('x-clickhouse-exception-code')).toBe('164')
  })

  it('names an unknown setting or URL parameter', async () => {
    expect((await post('owner', 'SELECT 1', { no_such_setting: '1' })).code).toBe('115')
    expect((await post('owner', 'SELECT 1', { session_id: 'x' })).code).toBe('48')
  })

  it('a refused setting, database or parameter stops the query', async () => {
    const create = 'CREATE TABLE default.refused (a Int8) ENGINE = Memory'
    expect((await post('owner', create, { no_such_setting: '1' })).code).toBe('115')
    expect((await post('owner', create, { max_threads: 'many' })).code).not.toBeNull()
    expect((await post('owner', create, { database: 'no_such' })).code).toBe('81')
    expect((await post('owner', 'EXISTS TABLE default.refused')).text).toBe('0\n')
  })
})

describe('the end of a query', () => {
  it("follows the client's disconnect", async () => {
    const client = new AbortController()
    const pending = post('reader', endless('client'), {}, { signal: client.signal }).catch(() => 'gone')
    await until(async () => (await running('client')) === 1)
    client.abort()
    expect(await pending).toBe('gone')
    await until(async () => (await running('client')) === 0)
  })

  it('follows KILL QUERY, before that answers', async () => {
    const pending = post('reader', endless('killed'), { query_id: 'kill-me' })
    await until(async () => (await running('killed')) === 1)
    const killed = await post('reader', 'KILL QUERY WHERE query_id = {id:String} SYNC', { param_id: 'kill-me' })
    expect(killed.status).toBe(200)
    expect(await running('killed')).toBe(0)
    expect((await pending).code).toBe('394')
  })

  it("does not follow another reader's KILL QUERY", async () => {
    const client = new AbortController()
    const pending = post('reader', endless('foreign'), { query_id: 'not-yours' }, { signal: client.signal }).catch(() => 'gone')
    await until(async () => (await running('foreign')) === 1)
    await post('reader-unrestricted', "KILL QUERY WHERE query_id = 'not-yours'")
    expect(await running('foreign')).toBe(1)
    client.abort()
    expect(await pending).toBe('gone')
  })

  it('follows its time limit', async () => {
    const startedAt = Date.now()
    expect((await post('reader-changing-settings', endless('limited'), { max_execution_time: '1' })).code).toBe('159')
    expect(Date.now() - startedAt).toBeLessThan(60_000)
  })
})

describe('many queries', () => {
  it('wait for their turn, and one too many is refused with code 202', async () => {
    const { queue, ...limits } = CLICKHOUSE_LIMITS.engine
    const readers = limits.readers + limits.slow.readers
    const stop = new AbortController()
    const slow = Array.from({ length: readers }, () =>
      post('reader', endless('manyq'), {}, { signal: stop.signal }).catch(() => 'gone'),
    )
    await until(async () => (await running('manyq')) === readers)
    const waiting = Array.from({ length: queue }, () => post('reader', 'SELECT 1'))
    const refused = await Promise.race([...waiting, post('reader', 'SELECT 1')])
    expect(refused).toMatchObject({ status: 500, code: '202' })
    // Writers and kills have slots of their own.
    expect((await post('owner', 'SELECT 1')).text).toBe('1\n')
    stop.abort()
    await Promise.all(slow)
    const answers = await Promise.all(waiting)
    expect(answers.filter(({ text }) => text === '1\n').length).toBeGreaterThanOrEqual(queue - 1)
  })
})

describe('many queries of one person', () => {
  it('leave slots for others, whichever process sends them', async () => {
    const { readers, slow, ofOnePerson } = CLICKHOUSE_LIMITS.engine
    const cores = availableParallelism()
    const most =
      Math.floor(Math.min(readers / 2, cores * ofOnePerson.readersPerCore)) +
      Math.floor(Math.min(slow.readers / 2, cores * ofOnePerson.slowPerCore))
    const stop = new AbortController()
    const of = (person: string) => ({ headers: { 'X-Clew-Person': person } })
    const flood = Array.from({ length: readers + slow.readers }, () =>
      post('reader', endless('ofone'), {}, { signal: stop.signal, ...of('alice') }).catch(() => 'gone'),
    )
    await until(async () => (await running('ofone')) === most)
    expect((await post('reader', 'SELECT 1', {}, of('bob'))).text).toBe('1\n')
    expect(await running('ofone')).toBe(most)
    stop.abort()
    await Promise.all(flood)
  })
})

describe('turns to repeat lost queries', () => {
  it('follow one another when one lapses or is released', async () => {
    const take = () => endpoint.takeTurn(AbortSignal.timeout(30_000))
    const first = await take()
    const second = await take()
    await until(async () => first.lapsed)
    expect(second).toMatchObject({ held: true, lapsed: false })
    second.release()
    const third = await take()
    expect(second.lapsed).toBe(false)
    third.release()
  })
})

/** Writes much of its result, then fails. */
const FAILS_LATE = "SELECT number, throwIf(number = 300000, 'late') FROM numbers(1000000)"

describe('a query that fails in the middle of its result', () => {
  it('does not affect any other query', async () => {
    const sql = `${FAILS_LATE} SETTINGS max_block_size = 1000`
    for (let round = 0; round < 5; round += 1) {
      expect((await post('owner', sql)).code).toBe('395')
      expect((await post('reader-changing-settings', FAILS_LATE, { max_block_size: '1000' })).code).toBe('395')
      const answers = await Promise.all(
        (['owner', 'reader', 'reader-changing-settings'] as const).map(user => post(user, 'SELECT 42')),
      )
      expect(answers.map(({ text }) => text)).toEqual(['42\n', '42\n', '42\n'])
    }
  })

  it('does not affect others after a cancellation', async () => {
    const client = new AbortController()
    const sql = "SELECT number, sleepEachRow(0.001), 'halfway' FROM numbers(100000)"
    const pending = post('reader-changing-settings', sql, { max_block_size: '50' }, { signal: client.signal })
    pending.catch(() => {})
    await until(async () => (await running('halfway')) === 1)
    client.abort()
    await expect(pending).rejects.toThrow()
    const answers = await Promise.all(Array.from({ length: 12 }, () => post('reader', 'SELECT 42')))
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['42\n']))
  })

  it('would affect the next query of the same session, so sessions are never reused', () => {
    const chdb = createRequire(import.meta.url).resolve('chdb')
    const script = `
      const { Session } = require(${JSON.stringify(chdb)})
      const session = new Session()
      const run = sql => session.queryAsync(sql, { format: 'TSV' }).then(result => result.text(), () => 'failed')
      run(${JSON.stringify(`${FAILS_LATE} SETTINGS max_block_size = 1000`)}).then(() => run('SELECT 42')).then(text => {
        process.stdout.write(String(text.length)); session.close() })`
    const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
    expect(Number(stdout)).toBeGreaterThan('42\n'.length)
  })
})
