import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { WarehouseError } from '../../src/warehouse/error.ts'
import type { SqlGuard } from '../../src/warehouse/sql-guard.ts'
import { IS_WHOLE, sampleOf } from '../support/whole.ts'
import { type FuzzEngine, startFuzzEngine } from './fuzz-engine.ts'
import { reportLines } from './fuzz-report.ts'
import { CASE_SCOPE, FUZZ_SCOPES, type FuzzScope } from './fuzz-world.ts'
import { type BreachKind, Oracle, type Outcome } from './oracle.ts'
import { runFuzz } from './run-fuzz.ts'

const QUERIES = IS_WHOLE ? 2_000 : 400
/** If the guard has a hole, this many queries must be enough to find it. */
const QUERIES_OF_A_HOLE = 2_000
const [LAB, LAB_CROSSED, SIDE] = FUZZ_SCOPES as [FuzzScope, FuzzScope, FuzzScope]
const signal = new AbortController().signal

let engine: FuzzEngine

beforeAll(async () => {
  engine = await startFuzzEngine(signal)
}, 120_000)

afterAll(async () => {
  await engine.close()
})

describe('the SQL guard', () => {
  // These queries are the same in every run. The command `npm run fuzz` generates other ones, as many as wanted.
  it('allows nothing that the engine denies under exact grants', async () => {
    for (const [seed, queries] of [
      [1, QUERIES / 2],
      [20_779, QUERIES / 2],
    ] as const) {
      const report = await runFuzz(
        { seed, first: 0, queries },
        { oracle: new Oracle(engine), restart: () => engine.restart() },
        signal,
      )
      console.info(reportLines(report).join('\n'))
      expect(report.breaches).toEqual([])
      expect(report.faults).toEqual([])
      // Most allowed queries must run, and enough queries must be refused. Otherwise the test proves little.
      expect(report.tally.ran).toBeGreaterThan(queries * 0.35)
      expect([...report.tally.rejected.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(queries * 0.15)
    }
  }, 300_000)
})

/** Each entry makes one hole in the guard: it ignores some refusals. The number is the maximum length of a query that shows the hole. */
const HOLES: readonly [string, (code: string, message: string) => boolean, number][] = [
  ['names alone to the right of IN', (code, message) => code === 'out_of_scope' && message.includes('to the right of IN'), 70],
  ['functions', code => code === 'function', 60],
  ['table functions', code => code === 'table_function', 70],
  ['tables beyond the scope', (code, message) => code === 'out_of_scope' && message.startsWith('Table '), 70],
]

describe('a guard with a hole', () => {
  it.each(sampleOf(HOLES, 2))(
    'is found out when it lets %s pass, by a short query',
    async (_, isLetPass, longest) => {
      const guard: SqlGuard = {
        async check(sql, scope, checkSignal) {
          const verdict = await engine.guard.check(sql, scope, checkSignal)
          return verdict.verdict === 'reject' && isLetPass(verdict.code, verdict.message)
            ? { ...NOTHING, canonical: sql }
            : verdict
        },
      }
      const { breaches } = await runFuzz(
        { seed: 1, first: 0, queries: QUERIES_OF_A_HOLE },
        { oracle: new Oracle({ ...engine, guard }), restart: () => engine.restart(), enoughBreaches: 1 },
        signal,
      )
      expect(breaches).not.toEqual([])
      for (const { reduced } of breaches.slice(0, 3)) expect([reduced, reduced.length <= longest]).toEqual([reduced, true])
    },
    300_000,
  )
})

describe('Oracle', () => {
  const trusting: SqlGuard = { check: async sql => ({ ...NOTHING, canonical: sql }) }
  const judge = (sql: string, scope = LAB): Promise<Outcome> =>
    new Oracle({ ...engine, guard: trusting }).judge({ sql, scope }, { comparesTree: true }, signal)

  it.each<[string, string, BreachKind, FuzzScope]>([
    ['a table', 'SELECT v FROM secrets', 'denied', LAB],
    ['a table of another scope', 'SELECT id FROM side.users', 'denied', LAB],
    ['a private column', 'SELECT tags FROM lab.beta', 'denied', SIDE],
    ['a private column with a strange name', "SELECT COLUMNS('^.$') FROM lab.beta", 'denied', SIDE],
    ['a path of a private column', 'SELECT doc.pin FROM lab.beta', 'denied', SIDE],
    ['a type of a private column', 'SELECT dyn.String FROM lab.beta', 'denied', SIDE],
    ['a name behind IN', 'SELECT 1 IN x', 'denied', LAB],
    ['a dictionary', "SELECT dictGet('lab.d_secret', 'v', 1)", 'denied', LAB],
    ['a Join table', "SELECT joinGet('lab.j_secret', 'v', 'a')", 'denied', LAB],
    ['a file as a table', "SELECT * FROM file('secret.txt', 'LineAsString')", 'denied', LAB],
    ['a file, which no grant guards', "SELECT file('secret.txt')", 'mark_seen', LAB],
    ['a set, which no grant guards', 'SELECT 1 IN lab.s_secret', 'resolved_beyond_scope', LAB],
    ['a table that everybody may read', 'SELECT name FROM system.functions', 'resolved_beyond_scope', LAB],
    ['a table function over what is granted', "SELECT id FROM merge('lab', '^ids$')", 'resolved_beyond_scope', LAB],
    ['a name that is no table', 'WITH u AS (SELECT 1) SELECT * FROM w', 'unknown_table', LAB],
  ])('sees that a query reads %s', async (_, sql, kind, scope) => {
    expect(await judge(sql, scope)).toMatchObject({ outcome: 'breach', kind })
  })

  it.each<[string, FuzzScope]>([
    ['SELECT v, tags FROM lab.beta', LAB],
    ['SELECT v FROM lab.beta', SIDE],
    ['SELECT v FROM lab.v_offer', SIDE],
    ['SELECT 1 IN x, * FROM side.users', LAB_CROSSED],
    ['SELECT count() FROM p_orders', CASE_SCOPE],
    ['SELECT * FROM numbers(3)', LAB],
  ])('has nothing against %s where it is granted', async (sql, scope) => {
    expect(await judge(sql, scope)).toEqual({ outcome: 'ran' })
  })

  it('distinguishes an unreadable result from a lost engine', async () => {
    const sql = 'SELECT k, count() FROM alpha WHERE 0 GROUP BY k WITH TOTALS'
    expect(await judge(sql)).toEqual({ outcome: 'failed', code: 'unreadable' })
    process.kill(engine.pid, 'SIGKILL')
    expect(await judge(sql)).toEqual({ outcome: 'engine_lost' })
    await engine.restart()
    expect(await judge('SELECT 1')).toEqual({ outcome: 'ran' })
  })

  it('calls a query stuck if it outlives its limit', async () => {
    const outlasting = new WarehouseError('no answer', { kind: 'timeout' })
    const warehouse = { ...engine.warehouse, read: () => Promise.reject(outlasting) }
    const oracle = new Oracle({ ...engine, guard: trusting, warehouse })
    expect(await oracle.judge({ sql: 'SELECT 1', scope: LAB }, { comparesTree: false }, signal)).toEqual({ outcome: 'stuck' })
  })

  it('distinguishes an ordinary error from a denial', async () => {
    expect(await judge('SELECT nothing FROM alpha')).toEqual({ outcome: 'failed', code: 'unknown_name 47' })
  })
})

const NOTHING = {
  verdict: 'allow',
  tables: [],
  functions: [],
  tree: { kind: 'QUERY', attributes: {}, branches: [] },
} as const
