import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { scopeWithColumns } from '../../../test/support/known-columns.ts'
import { readStatements } from '../../../test/support/statements.ts'
import { sampleOf } from '../../../test/support/whole.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { GuardScope } from '../../warehouse/sql-guard.ts'
import type { QueryResult, ReadQuery, Warehouse } from '../../warehouse/warehouse.ts'
import { ANALYST_FUNCTIONS } from './calls/analyst-functions.ts'
import { readFunctionList } from './calls/function-list.ts'
import { CLOCKS } from './calls/function-rules.ts'
import { EngineSqlGuard } from './engine-sql-guard.ts'

const DATABASE = 'demo'
/** A time limit that is long enough for every legitimate query in this test. */
const TIMEOUT_MS = 30_000
/** The short time limit for queries that are meant to exceed it. */
const BOUND_MS = 400
/** A query that exceeds `BOUND_MS` must end within this time, even on a busy machine. */
const MOST_BOUNDED_MS = 10_000
const MAX_ROWS = 1_000
const MAX_BYTES = 10_000_000

const caseSchema = z.object({
  id: z.string(),
  sql: z.string(),
  category: z.string(),
  expect: z.enum(['allow', 'reject', 'bounded']),
  scope: z.array(z.string()),
})
const allCases = ['sql-guard', 'sql-guard-more', 'sql-guard-blind', 'sql-guard-modern', 'sql-guard-costs'].flatMap(name =>
  readFileSync(new URL(`../../../test/cases/${name}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => ({ file: name, ...caseSchema.parse(JSON.parse(line)) })),
)
const cases = sampleOf(allCases, 8, one => [one.file, one.category, one.expect].join(' '))
const ofKind = (kind: 'allow' | 'reject' | 'bounded') => cases.filter(one => one.expect === kind)

let engine: TestEngine
let guard: EngineSqlGuard
/** A guard that caches the engine's answers. The tests judge the same queries many times. */
let remembering: EngineSqlGuard
let scopeOf: (tables: readonly string[]) => GuardScope
const signal = new AbortController().signal

beforeAll(async () => {
  engine = await startTestEngine({ database: 'default', timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  const world = new URL('../../../test/cases/sql-guard-schema.sql', import.meta.url)
  for (const sql of readStatements(world)) await engine.warehouse.write({ sql }, signal)
  scopeOf = await scopeWithColumns(engine.warehouse, DATABASE, signal)
  guard = new EngineSqlGuard({ warehouse: engine.warehouse })
  remembering = new EngineSqlGuard({ warehouse: rememberReads(engine.warehouse) })
})

afterAll(async () => {
  await engine.close()
})

describe('cases', () => {
  it.each(ofKind('reject'))('refuses $id, with known and unknown columns', async ({ sql, scope }) => {
    for (const known of [scopeOf(scope), withoutColumns(scopeOf(scope))]) {
      const verdict = await remembering.check(sql, known, signal)
      if (verdict.verdict === 'allow') throw new Error(`allowed: ${verdict.canonical}`)
      expect(verdict.message).not.toMatch(/\n/)
      expect(verdict.message.length).toBeLessThan(500)
    }
  })

  it.each(ofKind('allow'))('accepts $id, and returns the same rows as the original', async ({ sql, scope }) => {
    const verdict = await guard.check(sql, scopeOf(scope), signal)
    if (verdict.verdict === 'reject') throw new Error(`refused: ${verdict.message}`)
    const original = await run(sql.replace(/[;\s]+(?:--[^'`\n]*)?$/, ''))
    const canonical = await run(verdict.canonical)
    expect(canonical.columns.map(column => column.type)).toEqual(original.columns.map(column => column.type))
    expect(asMultiset(canonical)).toEqual(asMultiset(original))
  })

  it.each(ofKind('bounded'))('keeps $id within its limits', async ({ sql, scope }) => {
    const startedAt = performance.now()
    const verdict = await guard.check(sql, scopeOf(scope), signal)
    if (verdict.verdict === 'allow') {
      const outcome = await run(verdict.canonical, { maxRows: MAX_ROWS, timeoutMs: BOUND_MS }).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(WarehouseError)
      else {
        expect((outcome as QueryResult).rows.length).toBeLessThanOrEqual(MAX_ROWS)
        expect(JSON.stringify((outcome as QueryResult).rows).length).toBeLessThanOrEqual(MAX_BYTES)
      }
    }
    expect(performance.now() - startedAt).toBeLessThan(MOST_BOUNDED_MS)
  })
})

describe('check', () => {
  it('executes nothing: the engine only prints the SQL, then explains its own print', async () => {
    const before = (await engine.receivedQueries()).length
    await guard.check('SELECT (SELECT max(id) FROM p_orders) + sleep(1), count() FROM p_vendors', scopeOf(['p_orders']), signal)
    await guard.check("SELECT id FROM p_orders WHERE note = 'x' -- comment", scopeOf(['p_orders']), signal)
    const statements = (await engine.receivedQueries()).slice(before).map(({ sql }) => sql.split('\n')[0])
    expect(statements).toEqual([
      'SELECT formatQuerySingleLine({q:String})',
      'EXPLAIN QUERY TREE run_passes = 0 SELECT * FROM (SELECT (SELECT max(id) FROM p_orders) + sleep(1), count() FROM p_vendors)',
      'SELECT formatQuerySingleLine({q:String})',
      "EXPLAIN QUERY TREE run_passes = 0 SELECT * FROM (SELECT id FROM p_orders WHERE note = 'x')",
    ])
  })

  it('lists the tables and functions of an allowed query', async () => {
    const sql = `WITH paid AS (SELECT * FROM demo.p_orders WHERE status = 'paid')
      SELECT v.country, SUMIf(paid.qty, paid.qty > 1), arrayMap(x -> x + 1, [1]) FROM paid JOIN p_vendors AS v ON v.id = paid.vendor_id GROUP BY v.country`
    expect(await guard.check(sql, scopeOf(['p_orders', 'p_vendors']), signal)).toMatchObject({
      verdict: 'allow',
      tables: ['demo.p_orders', 'demo.p_vendors'],
      functions: ['arrayMap', 'equals', 'greater', 'plus', 'sumIf'],
    })
  })

  it('gives the same message for a table outside the scope and for a missing one', async () => {
    const message = async (table: string) => {
      const verdict = await guard.check(`SELECT * FROM ${table}`, scopeOf(['p_orders', 'p_vendors']), signal)
      return verdict.verdict === 'reject' ? verdict.message.replace(table, '…') : ''
    }
    expect(await message('demo.secrets')).toBe(await message('demo.nothing'))
    expect(await message('secrets')).toBe('Table … is not available. Available: p_orders, p_vendors.')
    expect(await message('demo.p_order')).toBe('Table … is not available; did you mean p_orders? Available: p_orders, p_vendors.')
  })

  it('gives advice about a CTE defined later, and treats a cyclic one like a table', async () => {
    const message = async (sql: string) => {
      const verdict = await guard.check(sql, scopeOf(['p_orders']), signal)
      return verdict.verdict === 'reject' ? verdict.message : ''
    }
    expect(await message('WITH a AS (SELECT * FROM b), b AS (SELECT 1 AS x) SELECT x FROM a')).toBe(
      'The CTE b is not defined where it is read; define it in the same WITH list before what reads it, or around it.',
    )
    const available = 'Table secrets is not available. Available: p_orders.'
    expect(await message('WITH secrets AS (SELECT * FROM secrets) SELECT * FROM secrets')).toBe(available)
    expect(await message('WITH b AS (SELECT * FROM secrets), secrets AS (SELECT * FROM b) SELECT * FROM secrets')).toBe(available)
  })

  it('trusts only views in the scope', async () => {
    expect(await guard.check('SELECT * FROM v_secret', scopeOf(['v_secret']), signal)).toMatchObject({
      tables: ['demo.v_secret'],
    })
    expect(await guard.check('SELECT * FROM v_secret', scopeOf(['p_orders']), signal)).toMatchObject({ code: 'out_of_scope' })
  })

  it("resolves unqualified names in the scope's database only", async () => {
    const scope = { database: 'other', tables: new Set(['other.users', 'demo.p_orders']) }
    expect(await guard.check('SELECT * FROM users', scope, signal)).toMatchObject({ verdict: 'allow', tables: ['other.users'] })
    expect(await guard.check('SELECT * FROM p_orders', scope, signal)).toMatchObject({ code: 'out_of_scope' })
  })

  it('judges concurrently', async () => {
    const fresh = new EngineSqlGuard({ warehouse: engine.warehouse })
    const verdicts = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        fresh.check(n % 2 ? 'SELECT * FROM p_orders' : 'SELECT * FROM secrets', scopeOf(['p_orders']), signal),
      ),
    )
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 8 }, (_, n) => (n % 2 ? 'allow' : 'reject')))
  })

  it('throws if the engine is unreachable', async () => {
    await expect(guard.check('SELECT 1', scopeOf([]), AbortSignal.abort())).rejects.toMatchObject({ kind: 'cancelled' })
  })

  it('knows every function that the engine calls without brackets', async () => {
    const list = await readFunctionList(engine.warehouse, signal)
    const { rows } = await engine.warehouse.read({ sql: 'SELECT name FROM system.functions ORDER BY name' }, signal)
    const names = z
      .array(z.tuple([z.string()]))
      .parse(rows)
      .map(([name]) => name)
    const isBare = (name: string) =>
      engine.warehouse.read({ sql: `EXPLAIN QUERY TREE SELECT \`${name}\`` }, signal).then(
        () => true,
        () => false,
      )
    const bare = new Set<string>()
    const left = [...names]
    const asker = async () => {
      for (let name = left.pop(); name !== undefined; name = left.pop()) if (await isBare(name)) bare.add(name)
    }
    await Promise.all(Array.from({ length: 6 }, asker))
    expect(names.filter(name => bare.has(name))).toEqual(names.filter(name => list.findListed(name)?.bare))
    expect(bare).toContain('current_user')
  })

  it('knows every allowed function that reads the clock', async () => {
    const list = await readFunctionList(engine.warehouse, signal)
    const time = "hasAny([toTypeName(x)], ['Date', 'Time', 'DateTime', 'DateTime64(3)', 'DateTime(\\'UTC\\')'])"
    const isClock = (name: string) =>
      engine.warehouse.read({ sql: `SELECT ${time} FROM (SELECT \`${name}\`() AS x)` }, signal).then(
        ({ rows }) => Number(rows[0]?.[0]) === 1,
        () => false,
      )
    const clocks = new Set<string>()
    for (const name of ANALYST_FUNCTIONS) if (list.find(name)?.allowed && (await isClock(name))) clocks.add(name)
    expect(clocks).toEqual(CLOCKS)
    const verdict = await guard.check('SELECT CURDATE(), current_timestamp FROM p_orders', scopeOf(['p_orders']), signal)
    expect(verdict).toMatchObject({ clocks: ['now', 'today'] })
  })

  it('accepts function names without brackets if nothing else has that name', async () => {
    const functions = async (sql: string) => {
      const verdict = await guard.check(sql, scopeOf(['p_orders']), signal)
      return verdict.verdict === 'allow' ? verdict.functions : verdict.message
    }
    expect(await functions('SELECT today, CURRENT_TIMESTAMP FROM p_orders')).toEqual(['now', 'today'])
    expect(await functions('SELECT now FROM (SELECT created_at AS now FROM p_orders)')).toEqual([])
    expect(await functions('SELECT user FROM p_orders')).toBe(
      'Function user is not allowed: a query may call functions of analysis, not those that reach files, dictionaries, the server or other services, or that cost too much.',
    )
    expect(await functions("SELECT user FROM values('a String', 'b')")).toBe(
      'user may mean the function user(), which is not allowed; if it is a column, write it with its table, as in t.user.',
    )
  })

  it('knows the engine version that it was written for', async () => {
    expect(await guard.engine(signal)).toEqual({ version: expect.stringMatching(/^26\.7\./), known: true })
  })
})

function withoutColumns({ database, tables }: GuardScope): GuardScope {
  return { database, tables }
}

function run(sql: string, limits: Pick<ReadQuery, 'maxRows' | 'timeoutMs'> = {}): Promise<QueryResult> {
  return engine.warehouse.read({ sql, database: DATABASE, ...limits }, signal)
}

/** Returns a warehouse that runs the same read only once and then repeats its answer. */
function rememberReads(warehouse: Warehouse): Warehouse {
  const answers = new Map<string, Promise<QueryResult>>()
  return {
    ...warehouse,
    read(query, readSignal) {
      const key = JSON.stringify(query)
      const answer = answers.get(key) ?? warehouse.read(query, readSignal)
      answers.set(key, answer)
      return answer
    },
  }
}

function asMultiset({ rows }: QueryResult): readonly string[] {
  return rows.map(row => JSON.stringify(row)).sort()
}
