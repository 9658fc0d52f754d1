import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { scopeWithColumns } from '../../../test/support/known-columns.ts'
import { sampleOf } from '../../../test/support/whole.ts'
import { createLogger } from '../../base/logger.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { AllowedQuery } from '../../warehouse/query-validator.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { SchemaCatalog } from '../catalog/schema-catalog.ts'
import { loadDemoWorld } from '../demo/world.ts'
import { EngineSqlGuard } from '../guard/engine-sql-guard.ts'
import { EngineQueryValidator } from './engine-query-validator.ts'
import { explainFailure } from './explain-failure.ts'

const wrongSchema = z.object({ sql: z.string(), kind: z.string(), message: z.string(), suggestions: z.array(z.string()) })
const WRONG = readLines('test/cases/wrong-queries.jsonl', wrongSchema)
const GOLD = readLines('evals/network/cases.jsonl', z.object({ gold_sql: z.array(z.string()).optional() })).flatMap(
  one => one.gold_sql ?? [],
)
const allowSchema = z.object({
  id: z.string(),
  category: z.string(),
  sql: z.string(),
  expect: z.string(),
  scope: z.array(z.string()),
})
const ALLOWED = sampleOf(
  ['sql-guard', 'sql-guard-more', 'sql-guard-blind', 'sql-guard-modern']
    .flatMap(name => readLines(`test/cases/${name}.jsonl`, allowSchema))
    .filter(one => one.expect === 'allow'),
  8,
  one => one.category,
)

/** A query that never ends by itself. It runs until it is killed. */
const ENDLESS = 'SELECT count() FROM numbers(1000000) AS a, numbers(1000000) AS b WHERE sipHash64(a.number, b.number) = 1'

/** A subquery that runs for some tenths of a second. */
const SLOW = '(SELECT uniqExact(sipHash64(measured_at, rtt_us)) FROM fact_link_telemetry)'

let engine: TestEngine
let guard: EngineSqlGuard
/** A validator with a long time limit, because a check may have to wait on a busy machine. Another test covers the time limit. */
let patient: EngineQueryValidator
/** A validator with the normal time limit, as in production. */
let impatient: EngineQueryValidator
let schema: Schema
const signal = new AbortController().signal

beforeAll(async () => {
  engine = await startTestEngine({ database: 'network' })
  await loadDemoWorld({ warehouse: engine.warehouse }, signal)
  const logger = createLogger({ level: 'silent' })
  const store = createMemoryStateStore({ now: Date.now })
  const catalog = new SchemaCatalog({ warehouse: engine.warehouse, store, logger }, { databases: ['network'] })
  schema = await catalog.load(signal)
  await catalog.close()
  guard = new EngineSqlGuard({ warehouse: engine.warehouse })
  impatient = new EngineQueryValidator({ maxRows: 10_000, warehouse: engine.warehouse })
  patient = new EngineQueryValidator({ maxRows: 10_000, warehouse: engine.warehouse, timeLimitMs: 5_000 })
})

afterAll(async () => {
  await engine.close()
})

describe('a wrong query', () => {
  it('has samples of every kind', () => {
    expect(WRONG.length).toBeGreaterThanOrEqual(40)
    expect(new Set(WRONG.map(one => one.kind))).toEqual(new Set(['unknown_name', 'type', 'query']))
  })

  it.each(WRONG)('$sql', async ({ sql, ...expected }) => {
    expect(await patient.check(await allowed(sql), { schema }, signal)).toMatchObject({ verdict: 'invalid', ...expected })
  })

  it.each(WRONG)('has the same message when it fails at run time: $sql', async ({ sql, message, suggestions }) => {
    const query = await allowed(sql)
    const failure = await engine.warehouse.read({ sql: query.canonical, maxRows: 10 }, signal).catch((error: unknown) => error)
    if (!(failure instanceof WarehouseError)) throw new Error('it did not fail')
    expect(explainFailure(failure, query, schema)).toMatchObject({ message, suggestions })
  })
})

describe('a result of more rows than are fetched', () => {
  it.each([
    'SELECT link_code, rtt_us FROM fact_link_telemetry',
    'WITH raw AS (SELECT * FROM fact_link_telemetry) SELECT rtt_us / 1000 AS ms FROM raw',
    'SELECT code FROM dz_links UNION ALL SELECT link_code FROM fact_link_telemetry',
  ])('needs no LIMIT, since the program cuts it: %s', async sql => {
    expect(await patient.check(await allowed(sql), { schema }, signal)).toMatchObject({ verdict: 'valid' })
  })
})

describe('a right query', () => {
  it.each(sampleOf(GOLD, 8))('%s', async sql => {
    expect(await patient.check(await allowed(sql), { schema }, signal)).toMatchObject({ verdict: 'valid' })
  })

  it('is accepted in every shape that the guard allows', async () => {
    const world = readFileSync(new URL('../../../test/cases/sql-guard-schema.sql', import.meta.url), 'utf8')
    for (const statement of world.replace(/^--.*$/gm, '').split(/;\s*$/m)) {
      if (statement.trim() !== '') await engine.warehouse.write({ sql: statement, database: 'default' }, signal)
    }
    const inDemo = new EngineQueryValidator({
      maxRows: 10_000,
      warehouse: { read: (query, ended) => engine.warehouse.read({ ...query, database: 'demo' }, ended) },
      timeLimitMs: 5_000,
    })
    const invalid: unknown[] = []
    const scopeOf = await scopeWithColumns(engine.warehouse, 'demo', signal)
    const left = [...ALLOWED]
    const checker = async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const verdict = await guard.check(next.sql, scopeOf(next.scope), signal)
        if (verdict.verdict === 'reject') throw new Error(`${next.id}: ${verdict.message}`)
        const checked = await inDemo.check(verdict, { schema }, signal)
        if (checked.verdict !== 'valid') invalid.push({ id: next.id, checked })
      }
    }
    await Promise.all(Array.from({ length: 4 }, checker))
    expect(invalid).toEqual([])
    expect(ALLOWED.length + GOLD.length).toBeGreaterThanOrEqual(60)
  })
})

describe('a check', () => {
  it('runs nothing to its end: no read of a table, and no subquery under IN, in FROM, in a CTE or in a JOIN', async () => {
    const endless = `SELECT toString(a.number) AS code FROM (${ENDLESS.replace('count()', 'a.number AS number')}) AS a`
    const shapes = [
      ENDLESS,
      `SELECT code FROM dz_links WHERE code IN (${endless})`,
      `SELECT code FROM (${endless})`,
      `WITH slow AS (${endless}) SELECT max(code) FROM slow`,
      `SELECT l.code FROM dz_links AS l INNER JOIN (${endless}) AS s ON s.code = l.code`,
      `SELECT code FROM dz_links UNION ALL ${endless}`,
    ]
    for (const sql of shapes)
      expect(await impatient.check(await allowed(sql), { schema }, signal)).toMatchObject({ verdict: 'valid' })
  })

  it.each([
    ['SELECT', 'SELECT code, SLOW AS much FROM dz_links'],
    ['WHERE', 'SELECT code FROM dz_links WHERE mtu > SLOW'],
    ['WITH', 'WITH SLOW AS most SELECT code FROM dz_links WHERE mtu < most'],
    ['a CTE', 'WITH busy AS (SELECT code, mtu / SLOW AS share FROM dz_links) SELECT code FROM busy WHERE share > 0.5'],
    ['another one', 'SELECT (SELECT count() FROM dz_links WHERE mtu > SLOW) AS n'],
    ['HAVING', 'SELECT status, count() AS n FROM dz_links GROUP BY status HAVING n > SLOW'],
    ['columns of one name', 'SELECT mtu / SLOW, mtu / SLOW FROM dz_links'],
    ['LIMIT, where its value counts', 'SELECT code FROM dz_links ORDER BY code LIMIT SLOW'],
  ])('checks a query with a slow subquery in %s', async (_, sql) => {
    for (const subquery of [SLOW, `(${ENDLESS})`]) {
      const query = await allowed(sql.replaceAll('SLOW', subquery))
      const startedAt = performance.now()
      expect(await impatient.check(query, { schema }, signal)).toMatchObject({ verdict: 'valid' })
      // A check takes about 50 ms, and longer on a busy machine. If the check ran the endless query, it would take minutes.
      expect(performance.now() - startedAt).toBeLessThan(20_000)
    }
    while ((await runningChecks()) > 0);
  })

  it.each([
    'SELECT cod, SLOW AS much FROM dz_links',
    'SELECT SLOW AS much, l.cod FROM dz_links AS l',
    'SELECT code FROM dz_links WHERE bandwidth_gbps > SLOW',
    'WITH SLOW AS much SELECT metro FROM dz_links INNER JOIN dz_devices ON dz_devices.code = side_a_device WHERE mtu > much',
    'SELECT code, SLOW FROM dz_links WHERE sum(mtu) > 5',
    'SELECT code, count() AS n FROM dz_links WHERE mtu > SLOW',
    'SELECT sum(code) FROM dz_links WHERE mtu > SLOW',
    'SELECT code FROM dz_links WHERE mtu > (SELECT uniqExact(sipHash64(measured_at, rtt_us), rtt) FROM fact_link_telemetry)',
    'SELECT (SELECT max(uptime_s) FROM dz_links WHERE mtu > SLOW) AS x',
  ])('reports the same fault of a query with a slow subquery as after running it: %s', async sql => {
    const query = await allowed(sql.replaceAll('SLOW', SLOW))
    const inFull = await patient.check(query, { schema }, signal)
    expect(inFull).toMatchObject({ verdict: 'invalid' })
    expect(await impatient.check(query, { schema }, signal)).toEqual(inFull)
  })

  it("leaves faults that depend on a slow subquery's value to the run", async () => {
    const query = await allowed(`SELECT toDate(toString(SLOW)) AS day, toUInt8('x')`.replace('SLOW', SLOW))
    expect(await impatient.check(query, { schema }, signal)).toEqual({
      verdict: 'unchecked',
      reason: 'the check took too long',
      cost: { verdict: 'unestimated', reason: 'the check took too long' },
    })
  })

  it('waits for a slow plan only if its cost may be too high', async () => {
    const delayed = () => engine.inject({ kind: 'delay', milliseconds: 1_000, matching: 'EXPLAIN json' })
    const query = await allowed('SELECT code FROM dz_links')
    await delayed()
    expect(await patient.check(query, { schema, isAffordable: ({ rows, bytes }) => rows < 1e6 && bytes < 1e6 }, signal)).toEqual({
      verdict: 'valid',
      cost: { verdict: 'unestimated', reason: 'the check took too long' },
    })
    await delayed()
    expect(await patient.check(query, { schema, isAffordable: () => false }, signal)).toMatchObject({
      verdict: 'valid',
      cost: { verdict: 'estimated' },
    })
    await delayed()
    const wrong = await patient.check(await allowed('SELECT cod FROM dz_links'), { schema }, signal)
    expect(wrong).toMatchObject({ verdict: 'invalid', suggestions: ['code'] })
    await engine.inject()
  })

  it('leaves errors that no other SQL could fix to the run', async () => {
    const memory = { kind: 'exception', code: 241, message: 'Memory limit exceeded.' } as const
    await engine.inject({ ...memory, matching: 'EXPLAIN json' }, { ...memory, matching: 'DESCRIBE' })
    expect(await patient.check(await allowed('SELECT code FROM dz_links'), { schema }, signal)).toMatchObject({
      verdict: 'unchecked',
    })
    await engine.inject({ ...memory, matching: 'EXPLAIN json' })
    expect(await patient.check(await allowed('SELECT cod FROM dz_links'), { schema }, signal)).toMatchObject({
      verdict: 'invalid',
      suggestions: ['code'],
    })
    await engine.inject({ kind: 'exception', code: 497, message: 'Not enough privileges.', matching: 'EXPLAIN json' })
    expect(await patient.check(await allowed('SELECT cod FROM dz_links'), { schema }, signal)).toMatchObject({
      verdict: 'unchecked',
    })
  })

  it("reports a fault in the data's values without the engine's plan", async () => {
    const query = await allowed('SELECT count() FROM dz_links PREWHERE toUInt8(code) = 1')
    const failure = await engine.warehouse.read({ sql: query.canonical }, signal).catch((error: unknown) => error)
    if (!(failure instanceof WarehouseError)) throw new Error('it did not fail')
    expect(explainFailure(failure, query, schema).message).toMatch(
      /^Cannot parse string '[^']+' as UInt8(?:(?!while|MergeTree).)*\.$/,
    )
  })

  it('is cancelled with its run', async () => {
    const query = await allowed('SELECT code FROM dz_links')
    await expect(patient.check(query, { schema }, AbortSignal.abort())).rejects.toMatchObject({ kind: 'cancelled' })
  })
})

async function allowed(sql: string): Promise<AllowedQuery> {
  const tables = new Set(schema.tables.map(table => `${table.database}.${table.name}`))
  const verdict = await guard.check(sql, { database: 'network', tables }, signal)
  if (verdict.verdict === 'reject') throw new Error(`${sql}: ${verdict.message}`)
  return verdict
}

async function runningChecks(): Promise<number> {
  const { rows } = await engine.warehouse.read(
    {
      sql: "SELECT count() FROM system.processes WHERE query LIKE 'EXPLAIN json%' OR query LIKE 'DESCRIBE%'",
      database: 'system',
    },
    signal,
  )
  return Number(rows[0]?.[0])
}

function readLines<T>(path: string, shape: z.ZodType<T>): T[] {
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => shape.parse(JSON.parse(line)))
}
