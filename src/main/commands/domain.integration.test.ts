import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { startTestRedis, type TestRedis } from '../../../test/support/redis.ts'
import { runClew } from '../../../test/support/run-clew.ts'
import { TEST_STATE_KEY } from '../../../test/support/state-key.ts'
import { createFeedbackStore } from '../../bots/actions/state-feedback-store.ts'
import { definitionsNote, definitionsUsed } from '../../domain/definitions-used.ts'
import { loadDomainPack } from '../../domain/pack.ts'
import { createRedisStateStore } from '../../store/redis/state-store.ts'

const METRICS = `- name: turnover
  sql: 100 * sum(amount) / count()
  from: shop.orders
  where: paid
  grain: an order
  dimensions: [city]
  unit: cents per order
`
const VERIFIED = `- question: How many orders were there in March 2026?
  sql: SELECT count() FROM shop.orders WHERE day >= '2026-03-01' AND (day < '2026-04-01')
  verified_by: Ann_Berg
  verified_at: 2026-10-01
`
const WITH_PARAMETER = `- question: How many orders did {city} have?
  sql: SELECT count() FROM shop.orders WHERE city = {city}
  verified_by: Ann
  verified_at: 2026-10-01
  parameters: [{ name: city, type: text, example: Oslo, column: shop.orders.city }]
`
const ENTRY = { question: 'How many orders?', verified_by: 'Ann', verified_at: '2026-10-01' }
const signal = AbortSignal.timeout(1_200_000)
/** The time limit for all commands of the test together. Each command is a process of its own. */
const COMMANDS_MS = 300_000

let engine: TestEngine
let redis: TestRedis
let folder: string

beforeAll(async () => {
  ;[engine, redis] = await Promise.all([startTestEngine({ database: 'shop' }), startTestRedis()])
  const write = (sql: string) => engine.warehouse.write({ sql, database: 'system' }, signal)
  await write('CREATE DATABASE shop')
  await write(
    'CREATE TABLE shop.orders (id UInt32, city String, amount UInt32, paid Bool, day Date) ENGINE = MergeTree ORDER BY id',
  )
})
afterAll(async () => {
  await redis?.close()
  await engine?.close()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-domain-'))
  await writeFile(join(folder, 'metrics.yaml'), METRICS)
  await writeFile(join(folder, 'verified-queries.yaml'), VERIFIED)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const domain = (...args: string[]) =>
  runClew(['domain', ...args], {
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_DATABASE: 'shop',
    REDIS_URL: redis.url,
    CLEW_STATE_KEY: TEST_STATE_KEY,
    CLEW_DOMAIN_DIR: folder,
  })

describe('clew domain check', () => {
  it('accepts a valid pack, runs none of its queries, and names those that are only examples', async () => {
    const dated = VERIFIED.replace('in March 2026', 'yesterday')
    await writeFile(join(folder, 'verified-queries.yaml'), `${VERIFIED}${WITH_PARAMETER}${dated}`)
    expect(await domain('check')).toMatchObject({
      status: 0,
      output:
        'The verified query "How many orders were there yesterday?" is only an example, and is never run by itself: its SQL names a date that its question does not.\nMetrics: 1, verified queries: 3. All of them fit the schema.\n',
    })
  })

  it('names invalid parts with reasons', async () => {
    await writeFile(join(folder, 'metrics.yaml'), METRICS.replace('[city]', '[town]'))
    const other = VERIFIED.replace('shop.orders', 'shop.returns').replace('How many orders', 'How many returns')
    const typed = VERIFIED.replace('count()', 'sum(city)').replace('How many orders', 'How many cities')
    await writeFile(
      join(folder, 'verified-queries.yaml'),
      `${VERIFIED}${other}${typed}${WITH_PARAMETER.replace('.city }', '.town }')}`,
    )
    const { status, output, errors } = await domain('check')
    expect(status).toBe(1)
    const [metric, returns, cities, town, ...more] = output.trim().split('\n')
    expect(town).toMatch(/^The verified query "How many orders did Oslo have\?": \{city\} is of shop\.orders\.town, which/)
    expect(metric).toMatch(/^The metric turnover: .*town/)
    expect(returns).toMatch(/^The verified query "How many returns were there in March 2026\?": .*shop\.returns/)
    expect(cities).toMatch(/^The verified query "How many cities were there in March 2026\?": .*sum/)
    expect([more, errors]).toEqual([[], 'Metrics: 1, verified queries: 4. Mistakes: 4.\n'])
  })
})

describe('verified queries', () => {
  it(
    'are proposed from helpful answers, and verified by someone who can write the pack',
    async () => {
      const feedback = createFeedbackStore({
        store: createRedisStateStore(await redis.connect()),
        retentionSeconds: 1_000,
        now: Date.now,
      })
      await writeFile(join(folder, 'verified-queries.yaml'), `${VERIFIED}${WITH_PARAMETER}`)
      const given = { platform: 'slack', workspace: 'T1', user: 'U1', at: Date.now(), question: 'and in Oslo?' }
      const sql = ["SELECT count()\nFROM shop.orders WHERE city = 'Oslo'"]
      const said = { ...given, standaloneQuestion: 'How many orders are there in Oslo?', sql }
      await feedback.give({ ...said, runId: 'run_1', verdict: 'helpful' }, signal)
      await feedback.give({ ...said, runId: 'run_2', verdict: 'unhelpful' }, signal)

      const { output } = await domain('proposals')
      expect(output).toBe(
        "run_1: How many orders are there in Oslo?\n  Q1: SELECT count() FROM shop.orders WHERE city = 'Oslo'\n",
      )
      expect(await domain('verify', 'run_2', '--by', 'Ann')).toMatchObject({ status: 1 })
      expect(await domain('verify', 'run_1', '--by', 'Ann', '--query', '2')).toMatchObject({
        status: 2,
        errors: 'run_1 has no query Q2: it has 1.\n',
      })
      expect(await domain('verify', 'run_1', '--by', 'Ann')).toMatchObject({ status: 0 })
      const { verifiedQueries } = await loadDomainPack(folder)
      expect(verifiedQueries.map(({ question, verified_by: by }) => [question, by])).toEqual([
        ['How many orders were there in March 2026?', 'Ann_Berg'],
        ['How many orders did Oslo have?', 'Ann'],
        ['How many orders are there in Oslo?', 'Ann'],
      ])
      expect((await readFile(join(folder, 'verified-queries.yaml'), 'utf8')).startsWith(`${VERIFIED}${WITH_PARAMETER}`)).toBe(
        true,
      )
      expect((await domain('proposals')).output).toMatch(/^There is nothing to propose/)
      expect(await domain('check')).toMatchObject({ status: 0 })
    },
    COMMANDS_MS,
  )
})

describe('the file of verified queries', () => {
  const give = async (runId: string, question: string, sql: string) => {
    const store = createRedisStateStore(await redis.connect())
    const feedback = createFeedbackStore({ store, retentionSeconds: 1_000, now: Date.now })
    const by = { platform: 'slack', workspace: 'T1', user: 'U1', at: Date.now() }
    await feedback.give({ ...by, question, standaloneQuestion: question, sql: [sql], runId, verdict: 'helpful' }, signal)
  }

  it(
    "keeps people's text unchanged, and adds an entry once",
    async () => {
      const question = 'What is it?\n- question: *x\n  sql: "\u2028\t#"\n---\n...'
      await give('run_3', question, "SELECT '---\n%TAG ! !\n: |2-'\t-- é\u0007\n")
      expect(await domain('verify', 'run_3', '--by', '&a !!str')).toMatchObject({ status: 0 })
      expect((await loadDomainPack(folder)).verifiedQueries.slice(1)).toMatchObject([
        { question, sql: "SELECT '---\n%TAG ! !\n: |2-'\t-- é\u0007\n", verified_by: '&a !!str' },
      ])
      expect(await domain('verify', 'run_3', '--by', 'Bo')).toMatchObject({
        status: 1,
        errors: expect.stringMatching(/^terminal\/\S+ has accepted it already\.$/m),
      })
    },
    COMMANDS_MS,
  )

  it(
    'is not changed if it has another format',
    async () => {
      await give('run_4', 'How many?', 'SELECT count() FROM shop.orders')
      const written = '[{ question: a, sql: SELECT 1, verified_by: Ann, verified_at: 2026-10-01 }]\n'
      await writeFile(join(folder, 'verified-queries.yaml'), written)
      expect(await domain('verify', 'run_4', '--by', 'Ann')).toMatchObject({
        status: 2,
        errors: expect.stringContaining('cannot take an entry at its end'),
      })
      expect(await readFile(join(folder, 'verified-queries.yaml'), 'utf8')).toBe(written)
    },
    COMMANDS_MS,
  )
})

describe('the source of a query', () => {
  const used = async (question: string, sql: string) =>
    await definitionsUsed({ question, sql }, await loadDomainPack(folder), engine.warehouse, signal)

  it('is a verified query with the same meaning', async () => {
    const printed = "SELECT count()\nFROM shop.orders\nWHERE (day >= '2026-03-01') AND (day < '2026-04-01')"
    const definitions = await used('How many orders were there in March 2026?', printed)
    expect(definitions).toEqual({
      verified: { question: 'How many orders were there in March 2026?', verified_by: 'Ann_Berg', verified_at: '2026-10-01' },
      metrics: [],
    })
    expect(definitionsNote([{ id: 'Q1', definitions }], 'en')).toBe('Verified by *Ann Berg* on 2026-10-01.')
  })

  it('is none if a value differs', async () => {
    const printed = "SELECT count() FROM shop.orders WHERE (day >= '2026-02-01') AND (day < '2026-04-01')"
    expect(await used('How many orders were there in March 2026?', printed)).toBe(null)
  })

  it.each([
    [
      'where its brackets stand',
      'SELECT count() FROM shop.orders WHERE (paid OR id = 1) AND id = 2',
      'paid OR (id = 1 AND id = 2)',
    ],
    ['the case of a value', "SELECT count() FROM shop.orders WHERE city = 'New York'", "city = 'NEWYORK'"],
  ])('is none for a difference in %s', async (_, verified, condition) => {
    await writeFile(join(folder, 'verified-queries.yaml'), JSON.stringify([{ ...ENTRY, sql: verified }]))
    expect(await used(ENTRY.question, verified)).toMatchObject({ verified: { verified_by: 'Ann' } })
    expect(await used(ENTRY.question, `SELECT count() FROM shop.orders WHERE ${condition}`)).toBe(null)
  })

  it('is none in another database', async () => {
    const sql = 'SELECT count() FROM shop.orders'
    await writeFile(join(folder, 'verified-queries.yaml'), JSON.stringify([{ ...ENTRY, sql }]))
    expect(await used(ENTRY.question, 'SELECT count() FROM trial.orders')).toBe(null)
  })

  it.each([
    ['a part of a name', 'sum(amount)', 'SELECT groupBitXorsum(amount), uniqsum(amount) FROM shop.orders'],
    ['what binds otherwise', 'sum(amount) - count()', 'SELECT sum(amount) - count() * 2 FROM shop.orders'],
    ['other brackets', '(sum(amount) + count()) * 2', 'SELECT sum(amount) + count() * 2 FROM shop.orders'],
    ['another value', "countIf(city = 'Oslo')", "SELECT countIf(city = 'OSLO') FROM shop.orders"],
  ])('is no metric for %s', async (_, expression, sql) => {
    await writeFile(join(folder, 'metrics.yaml'), METRICS.replace('100 * sum(amount) / count()', JSON.stringify(expression)))
    expect(await used('What is the turnover?', `SELECT ${expression} FROM shop.orders`)).toMatchObject({ metrics: ['turnover'] })
    expect(await used('What is the turnover?', sql)).toBe(null)
  })

  it('is a metric with the same expression, under any table name', async () => {
    const sql = 'SELECT o.city, round((100 * sum(o.amount)) / count(), 2) AS t FROM shop.orders AS o GROUP BY o.city'
    const definitions = await used('What is the turnover per city?', sql)
    expect(definitions).toEqual({ verified: null, metrics: ['turnover'] })
    expect(definitionsNote([{ id: 'Q2', definitions }], 'en')).toBe('Uses the defined metric *turnover*.')
    expect(await used('What is the turnover per city?', 'SELECT sum(amount) / count() FROM shop.orders')).toBe(null)
  })

  it('is unknown if the engine is unreachable', async () => {
    const away = { read: () => Promise.reject(new Error('away')) }
    const query = { question: 'How many orders?', sql: 'SELECT 1' }
    expect(await definitionsUsed(query, await loadDomainPack(folder), away, signal)).toBe(null)
  })
})
