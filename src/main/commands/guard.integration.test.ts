import { readFileSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { EngineSqlGuard } from '../../clickhouse/guard/engine-sql-guard.ts'
import { WarehouseError, type WarehouseErrorKind } from '../../warehouse/error.ts'
import type { SqlGuard } from '../../warehouse/sql-guard.ts'
import { guardCommand, parseGuardScope } from './guard.ts'

let engine: TestEngine
let guard: EngineSqlGuard

beforeAll(async () => {
  engine = await startTestEngine()
  guard = new EngineSqlGuard({ warehouse: engine.warehouse })
})

afterAll(async () => {
  await engine.close()
})

/** Runs `clew guard` on these lines. It needs no data, so the tables need not exist. */
async function judge(lines: readonly string[], own: SqlGuard = guard) {
  const output = new PassThrough()
  const all = text(output)
  const scope = parseGuardScope('demo.p_orders,other.users')
  const counts = await guardCommand(
    {
      scope: scope.tables,
      database: scope.database,
      input: Readable.from(lines.map(line => `${line}\n`)),
      output,
      guard: own,
    },
    new AbortController().signal,
  )
  output.end()
  const printed = (await all).split('\n').filter(line => line !== '')
  return { counts, verdicts: printed.map(line => JSON.parse(line) as Record<string, unknown>) }
}

describe('guardCommand', () => {
  const failing = (kind: WarehouseErrorKind): SqlGuard => ({
    check: () => Promise.reject(new WarehouseError('column "a" does not exist', { kind })),
  })

  it('rejects a line that the server does not understand, and goes on', async () => {
    const { counts, verdicts } = await judge(['{"id":1,"sql":"SELECT a"}', '{"id":2,"sql":"SELECT a"}'], failing('unknown_name'))
    expect(counts).toEqual({ judged: 2, malformed: 0 })
    const verdict = { verdict: 'reject', code: 'not_understood', message: 'column "a" does not exist' }
    expect(verdicts).toMatchObject([
      { id: 1, ...verdict },
      { id: 2, ...verdict },
    ])
  })

  it('ends when the server is away', async () => {
    await expect(judge(['{"id":1,"sql":"SELECT a"}'], failing('unavailable'))).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('prints a verdict with the same keys per line, in order', async () => {
    const { counts, verdicts } = await judge([
      '{"id":"a","sql":"SELECT max(id) FROM p_orders"}',
      '',
      '{"id":2,"sql":"SELECT * FROM secrets"}',
      '{"id":"c","sql":"SELECT count() FROM other.users -- all"}',
    ])
    expect(counts).toEqual({ judged: 3, malformed: 0 })
    expect(verdicts).toEqual([
      {
        id: 'a',
        verdict: 'allow',
        code: null,
        message: null,
        canonical: 'SELECT max(id) FROM p_orders',
        tables: ['demo.p_orders'],
        functions: ['max'],
      },
      {
        id: 2,
        verdict: 'reject',
        code: 'out_of_scope',
        message: 'Table secrets is not available. Available: p_orders, other.users.',
        canonical: null,
        tables: [],
        functions: [],
      },
      {
        id: 'c',
        verdict: 'allow',
        code: null,
        message: null,
        canonical: 'SELECT count() FROM other.users',
        tables: ['other.users'],
        functions: ['count'],
      },
    ])
  })

  it('answers a malformed line with an error line and continues', async () => {
    const { counts, verdicts } = await judge(['SELECT 1', '{"id":"x"}', '{"id":"y","sql":"SELECT 1"}'])
    expect(counts).toEqual({ judged: 1, malformed: 2 })
    expect(verdicts.map(({ id, code }) => ({ id, code }))).toEqual([
      { id: null, code: 'malformed_line' },
      { id: null, code: 'malformed_line' },
      { id: 'y', code: null },
    ])
  })

  it('prints each verdict before it needs the next line', async () => {
    const input = new PassThrough()
    const output = new PassThrough()
    const scope = parseGuardScope('demo.p_orders')
    const ended = guardCommand(
      { scope: scope.tables, database: scope.database, input, output, guard },
      new AbortController().signal,
    )
    input.write('{"id":1,"sql":"SELECT 1"}\n')
    const [first] = await new Promise<[Buffer]>(resolve => output.once('data', (chunk: Buffer) => resolve([chunk])))
    expect(JSON.parse(first.toString())).toMatchObject({ id: 1, verdict: 'allow' })
    input.end()
    expect(await ended).toEqual({ judged: 1, malformed: 0 })
  })
})

describe('the requests to the engine', () => {
  const attacks = ['sql-guard', 'sql-guard-columns'].flatMap(name =>
    readFileSync(new URL(`../../../test/cases/${name}.jsonl`, import.meta.url), 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => z.object({ id: z.string(), sql: z.string() }).parse(JSON.parse(line))),
  )
  const executing = [
    'SELECT (SELECT sleep(3) FROM p_orders)',
    'SELECT * FROM p_orders WHERE id = (SELECT max(id) FROM other.users)',
    'WITH (SELECT count() FROM other.users) AS n SELECT n',
    'SELECT 1; DROP TABLE p_orders',
    'SELECT 1) SELECT (SELECT throwIf(1)',
    "SELECT * FROM url('http://127.0.0.1:1/', LineAsString)",
    "INSERT INTO FUNCTION file('x.csv') SELECT 1",
    'SYSTEM SHUTDOWN',
    'KILL QUERY WHERE 1',
    "SELECT {q:String}, formatQuerySingleLine('x')",
    'EXPLAIN SELECT (SELECT sleep(3))',
    'SELECT 1 FORMAT TSV SETTINGS max_threads = 1',
  ].map((sql, index) => ({ id: `executing-${index}`, sql }))

  it('print a text, explain the print, or list functions: none runs the query', async () => {
    const fresh = await startTestEngine()
    try {
      guard = new EngineSqlGuard({ warehouse: fresh.warehouse })
      const before = (await fresh.receivedQueries()).length
      const { counts } = await judge([...attacks, ...executing].map(one => JSON.stringify(one)))
      expect(counts).toEqual({ judged: attacks.length + executing.length, malformed: 0 })
      const received = (await fresh.receivedQueries()).slice(before)
      const printed = new Set<string>()
      for (const { sql, parameters } of received) {
        const statement = sql.replace(/\nFORMAT JSONCompact$/, '')
        if (statement === 'SELECT formatQuerySingleLine({q:String})') {
          expect(Object.keys(parameters)).toEqual(['q'])
          printed.add('formatQuerySingleLine')
        } else if (statement.startsWith('EXPLAIN QUERY TREE run_passes = 0 SELECT * FROM (')) {
          expect(statement.endsWith(')')).toBe(true)
          printed.add('EXPLAIN')
        } else {
          expect(statement).toMatch(/^SELECT name, [\w(), ]+, version\(\) FROM system\.functions$/)
          printed.add('system.functions')
        }
      }
      expect([...printed].sort()).toEqual(['EXPLAIN', 'formatQuerySingleLine', 'system.functions'])
    } finally {
      guard = new EngineSqlGuard({ warehouse: engine.warehouse })
      await fresh.close()
    }
  })
})

describe('parseGuardScope', () => {
  it('uses the first table’s database as the current one', () => {
    expect(parseGuardScope('b.x, a.y')).toEqual({ database: 'b', tables: new Set(['b.x', 'a.y']) })
  })

  it.each(['', 'orders', 'a.b,', 'a.b.c', '.x', 'a.'])('refuses %j', text => {
    expect(() => parseGuardScope(text)).toThrow(ConfigurationError)
  })
})
