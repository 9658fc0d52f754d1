import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { schemaOf } from '../../../test/support/schema-fixture.ts'
import { createLogger } from '../../base/logger.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import type { CostEstimate } from '../../warehouse/cost/estimate.ts'
import type { ValidationVerdict } from '../../warehouse/query-validator.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { SchemaCatalog } from '../catalog/schema-catalog.ts'
import { EngineSqlGuard } from '../guard/engine-sql-guard.ts'
import { EngineQueryValidator } from '../validation/engine-query-validator.ts'
import { mostByCatalog } from './most-by-catalog.ts'
import { runsWhilePlanned } from './runs-while-planned.ts'

const ROWS = 400_000
const signal = AbortSignal.timeout(60_000)
let engine: TestEngine
let schema: Schema
const NO_SCHEMA = schemaOf()

beforeAll(async () => {
  engine = await startTestEngine()
  for (const sql of [
    `CREATE TABLE events (day Date, id UInt64, kind LowCardinality(String), payload String)
     ENGINE = MergeTree PARTITION BY toYYYYMM(day) ORDER BY (day, id) SETTINGS min_bytes_for_wide_part = 0`,
    `INSERT INTO events SELECT toDate('2026-01-01') + intDiv(number, 4000), number, toString(number % 5), repeat('x', 100) FROM numbers(${ROWS})`,
    'CREATE TABLE users (id UInt64, name String) ENGINE = MergeTree ORDER BY id',
    'INSERT INTO users SELECT number, toString(number) FROM numbers(1000)',
    'CREATE TABLE baskets (id UInt64, tags Array(String)) ENGINE = MergeTree ORDER BY id',
    `INSERT INTO baskets SELECT number, [] FROM numbers(${ROWS})`,
    'CREATE TABLE notes (id UInt64) ENGINE = Memory',
    'INSERT INTO notes SELECT number FROM numbers(50)',
    'CREATE TABLE sampled (id UInt64) ENGINE = MergeTree ORDER BY sipHash64(id) SAMPLE BY sipHash64(id)',
    'INSERT INTO sampled SELECT number FROM numbers(100000)',
    'CREATE VIEW per_day AS SELECT day, count() AS n, max(id) AS last FROM events GROUP BY day',
    "CREATE TABLE all_events AS events ENGINE = Merge(default, '^events$')",
    "CREATE TABLE elsewhere (id UInt64) ENGINE = URL('http://127.0.0.1:1/x', CSV)",
  ])
    await engine.warehouse.write({ sql }, signal)
  const store = createMemoryStateStore({ now: Date.now })
  const logger = createLogger({ level: 'silent' })
  const catalog = new SchemaCatalog({ warehouse: engine.warehouse, store, logger }, { databases: ['default'] })
  schema = await catalog.load(signal)
  await catalog.close()
})
afterAll(() => engine?.close())

async function estimate(sql: string, maxRows = 10_000): Promise<CostEstimate> {
  const { warehouse } = engine
  const tables = new Set(schema.tables.map(({ database, name }) => `${database}.${name}`))
  const verdict = await new EngineSqlGuard({ warehouse }).check(sql, { database: 'default', tables }, signal)
  if (verdict.verdict === 'reject') throw new Error(verdict.message)
  // A slow machine needs this long time limit.
  const validator = new EngineQueryValidator({ warehouse, maxRows, timeLimitMs: 10_000 })
  return estimateOf(await validator.check(verdict, { schema: NO_SCHEMA, whole: schema }, signal))
}

function estimateOf(checked: ValidationVerdict): CostEstimate {
  if (checked.verdict === 'invalid') throw new Error(checked.message)
  if (checked.cost.verdict === 'unestimated') throw new Error(checked.cost.reason)
  return checked.cost.estimate
}

const rowsOf = async (sql: string, maxRows?: number) => (await estimate(sql, maxRows)).rows

describe('the estimate', () => {
  it('counts the rows of a table, and the bytes of the columns read', async () => {
    const { tables, rows, bytes } = await estimate('SELECT sum(id) FROM events')
    expect([rows, bytes]).toEqual([ROWS, 8 * ROWS])
    expect(tables).toEqual([{ table: 'default.events', rows: ROWS, bytes: 8 * ROWS, columns: [{ name: 'id', bytes: 8 * ROWS }] }])
    const wide = await estimate("SELECT count() FROM events WHERE payload LIKE '%y%' AND kind = '1'")
    expect(wide.tables[0]?.columns.map(({ name }) => name)).toEqual(['payload', 'kind'])
    // A string takes its 100 characters, plus one or eight bytes for its length.
    expect(wide.bytes / ROWS).toBeGreaterThan(100)
    expect(wide.bytes / ROWS).toBeLessThan(112)
  })

  it.each([
    ['partitions', "SELECT sum(id) FROM events WHERE day >= '2026-02-01'", 0.5, 0.8],
    ['the sorting key', "SELECT sum(id) FROM events WHERE day = '2026-02-14'", 0.01, 0.1],
    ['partitions behind a view', "SELECT sum(last) FROM per_day WHERE day = '2026-02-14'", 0.01, 0.1],
  ])('handles %s', async (_, sql, least, most) => {
    const share = (await rowsOf(sql)) / ROWS
    expect(share).toBeGreaterThan(least)
    expect(share).toBeLessThan(most)
  })

  it('handles a sample', async () => {
    expect(await rowsOf('SELECT sum(id) FROM sampled SAMPLE 0.1')).toBeLessThan(40_000)
    expect(schema.tables.find(({ name }) => name === 'sampled')?.samplingKey).toBe('sipHash64(id)')
  })

  it.each([
    ['SELECT count() FROM events', 0],
    ['SELECT sum(number) FROM numbers(100000000)', 0],
    ['SELECT sum(id) FROM all_events', ROWS],
    ['SELECT count() FROM events AS a JOIN users AS b ON a.id = b.id', ROWS + 1_000],
    ['SELECT sum(id) FROM events UNION ALL SELECT sum(id) FROM events', 2 * ROWS],
    ['SELECT count() FROM events WHERE kind IN (SELECT name FROM users)', ROWS + 1_000],
    ['SELECT sum(id) FROM notes', 50],
    ['SELECT sum(n) FROM per_day', ROWS],
  ])('for %s gives the expected rows', async (sql, rows) => {
    expect(await rowsOf(sql)).toBe(rows)
  })

  it('knows when a LIMIT ends the read', async () => {
    expect(await rowsOf('SELECT * FROM events LIMIT 5')).toBeLessThan(ROWS / 2)
    expect(await rowsOf('SELECT * FROM events', 100)).toBeLessThan(ROWS / 2)
    expect(await rowsOf('SELECT id FROM events ORDER BY day, id LIMIT 5')).toBeLessThan(ROWS / 2)
    expect(await rowsOf('SELECT id FROM events ORDER BY kind LIMIT 5')).toBe(ROWS)
    expect(await rowsOf("SELECT id FROM events WHERE payload = 'y' LIMIT 5")).toBe(ROWS)
    expect(await rowsOf('SELECT kind, sum(id) FROM events GROUP BY kind LIMIT 1')).toBe(ROWS)
  })

  it.each([
    ['SELECT * FROM baskets CROSS JOIN events LIMIT 10', 2 * ROWS],
    ['SELECT * FROM events CROSS JOIN baskets LIMIT 10', 2 * ROWS],
    ['SELECT id FROM events LIMIT 10 OFFSET 390000', ROWS],
    ['SELECT id FROM (SELECT id FROM events LIMIT 10 OFFSET 390000) LIMIT 5', ROWS],
    ['SELECT id FROM (SELECT id FROM events OFFSET 390000) LIMIT 5', ROWS],
    ['SELECT arrayJoin(tags) FROM baskets LIMIT 5', ROWS],
    ['SELECT id, tag FROM baskets ARRAY JOIN tags AS tag LIMIT 5', ROWS],
    ['SELECT id FROM (SELECT id, arrayJoin(tags) AS tag FROM baskets) LIMIT 5', ROWS],
  ])('knows that %s reads everything, as the engine does', async (sql, rows) => {
    expect(await rowsOf(sql)).toBe(rows)
    const { rowsRead } = await engine.warehouse.read({ sql }, signal)
    expect(rowsRead).toBeGreaterThan(0.9 * ROWS)
  })

  it.each([
    ['SELECT count() FROM events, users', ROWS * 1_000],
    ['SELECT count() FROM events AS a JOIN users AS b ON a.id > b.id', ROWS * 1_000],
    ['SELECT count() FROM events, users AS b, users AS c', ROWS * 1_000 * 1_000],
    ['SELECT count() FROM events AS a, users AS b WHERE a.id = b.id', 0],
    ['SELECT sum(e.id + s.most) FROM events AS e CROSS JOIN (SELECT max(id) AS most FROM users) AS s', ROWS],
    ['SELECT a.id, b.id FROM events AS a CROSS JOIN users AS b LIMIT 10', 0],
  ])('multiplies the rows of the join %s', async (sql, joined) => {
    expect((await estimate(sql, 1_000_000)).joinedRows).toBe(joined)
  })

  it('names tables of unknown size', async () => {
    expect(await estimate('SELECT sum(id) FROM elsewhere')).toMatchObject({ rows: 0, unknown: ['default.elsewhere'] })
  })
})

describe('the estimate of a query that is slow to plan', () => {
  const never = new AbortController().signal
  const allowed = async (sql: string) => {
    const tables = new Set(schema.tables.map(({ database, name }) => `${database}.${name}`))
    const verdict = await new EngineSqlGuard({ warehouse: engine.warehouse }).check(sql, { database: 'default', tables }, never)
    if (verdict.verdict === 'reject') throw new Error(verdict.message)
    return verdict
  }
  const check = async (sql: string) =>
    new EngineQueryValidator({ warehouse: engine.warehouse, maxRows: 100 }).check(await allowed(sql), { schema }, never)

  const slow = '(SELECT count() FROM numbers(100000000) WHERE arrayExists(x -> sipHash64(number, x) = 7, range(30)))'
  it.each([
    [
      'SELECT SLOW AS a, (SELECT sum(id) FROM events) AS b, (SELECT sum(id) FROM events) + 1 AS c, (SELECT max(name) FROM users) AS d',
      2 * ROWS + 1_000,
    ],
    ['SELECT (SELECT sum(id) FROM events WHERE payload IN (SELECT name FROM users)) + SLOW AS x', ROWS + 1_000],
    ['SELECT (SELECT max(name) FROM users) AS x, SLOW AS y, sum(id) FROM events', ROWS + 1_000],
    ['SELECT count() FROM events WHERE id NOT IN (SELECT id FROM users) AND id > SLOW', ROWS + 1_000],
    ['SELECT count() FROM events WHERE (day, id) IN (SELECT today(), max(length(name)) FROM users) AND id > SLOW', ROWS + 1_000],
    ['SELECT count() FROM events WHERE day = (SELECT max(day) FROM events WHERE id < SLOW)', 2 * ROWS],
    [
      'SELECT kind, SLOW AS n, sum(id) AS s FROM events GROUP BY kind HAVING s > (SELECT avg(id) FROM users) ORDER BY s LIMIT 3',
      ROWS + 1_000,
    ],
    ['SELECT sum(id) FROM events WHERE EXISTS (SELECT id FROM users WHERE id > SLOW)', ROWS + 1_000],
  ])('sums the parts of %s', async (sql, rows) => {
    expect(estimateOf(await check(sql.replace('SLOW', slow)))).toMatchObject({ rows })
  })

  it.each([
    ['a part whose value has to be constant', 'SELECT id FROM events LIMIT SLOW'],
    ['totals in a part', 'SELECT id FROM events WHERE id > (SELECT max(n) FROM (SELECT SLOW AS n GROUP BY n WITH TOTALS))'],
    ['subqueries in WITH', 'WITH SLOW AS n SELECT sum(id) + n FROM events'],
  ])('does not exist for %s', async (_, sql) => {
    expect(await check(sql.replace('SLOW', slow))).toMatchObject({
      cost: { verdict: 'unestimated', reason: 'the check took too long' },
    })
  })

  it.each([
    ['the table to the right of IN', 'SELECT count() FROM events WHERE id NOT IN users AND id > SLOW'],
    [
      'a table named like an alias around a part',
      'SELECT [1] AS notes, SLOW AS n, (SELECT count() FROM events WHERE id IN notes)',
    ],
    ['what a view may hold', 'SELECT count() FROM per_day WHERE n > SLOW'],
  ])('is not attempted if that would read %s', async (_, sql) => {
    const before = (await engine.receivedQueries()).length
    expect(await check(sql.replace('SLOW', slow))).toMatchObject({ verdict: 'valid', cost: { verdict: 'unestimated' } })
    const asked = await engine.receivedQueries(before)
    expect(asked.filter(one => one.sql.includes('UNION ALL'))).toEqual([])
    expect(asked.filter(one => one.sql.startsWith('DESCRIBE'))).toHaveLength(1)
  })

  it.each([
    'SELECT sum(id) FROM events',
    'SELECT * FROM events WHERE id IN (SELECT id FROM users) AND id NOT IN users',
    'SELECT sum(id) FROM events WHERE id > (SELECT max(id) FROM events WHERE id < (SELECT max(id) FROM users))',
    'SELECT sum(id) FROM events UNION ALL SELECT sum(id) FROM events',
  ])("is at most the catalog's estimate for %s", async sql => {
    const query = await allowed(sql)
    const { rows, bytes } = await estimate(sql)
    const most = mostByCatalog(query, schema)
    expect(most?.rows).toBeGreaterThanOrEqual(rows)
    expect(most?.bytes).toBeGreaterThanOrEqual(bytes)
  })

  it.each([
    'SELECT count() FROM events, users',
    'SELECT count() FROM events AS a JOIN users AS b ON a.id = b.id',
    'WITH a AS (SELECT id FROM events) SELECT count() FROM a WHERE id NOT IN (SELECT id FROM a)',
    'SELECT count() FROM per_day',
    'SELECT count() FROM all_events',
    'SELECT count() FROM elsewhere',
  ])('cannot come from the catalog for %s', async sql => {
    expect(mostByCatalog(await allowed(sql), schema)).toBeUndefined()
  })

  it.each([
    ['SELECT sum(id) FROM events', false],
    ['WITH a AS (SELECT id FROM events) SELECT count() FROM a JOIN (SELECT id FROM users) AS b USING id', false],
    ['SELECT id FROM events UNION ALL (SELECT id FROM users)', false],
    ['SELECT argMin(id, day) FROM events', false],
    ["SELECT id FROM events WHERE kind IN ('a', 'b') ORDER BY least(id, 1)", false],
    ['SELECT id FROM events WHERE id = (SELECT max(id) FROM users)', true],
    ['WITH (SELECT max(id) FROM users) AS most SELECT id FROM events WHERE id = most', true],
    ['SELECT id FROM events WHERE id IN (SELECT id FROM users)', true],
    ['SELECT id FROM events WHERE id NOT IN users', true],
    ['SELECT id FROM (SELECT id FROM events ORDER BY (SELECT 1))', true],
  ])('knows whether planning %s may run part of it', async (sql, runs) => {
    expect(runsWhilePlanned((await allowed(sql)).tree)).toBe(runs)
  })
})
