import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { type RecordedRead, recordReads } from '../../../test/support/recording-warehouse.ts'
import { createLogger } from '../../base/logger.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import { describeTable } from '../../warehouse/catalog/describe-schema.ts'
import { renderSchema } from '../../warehouse/catalog/schema-prompt.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { scopeOfSchema } from '../../warehouse/scope-of-schema.ts'
import { EngineSqlGuard } from '../guard/engine-sql-guard.ts'
import { EngineQueryValidator } from '../validation/engine-query-validator.ts'
import { SchemaCatalog } from './schema-catalog.ts'

const ROW = `{"user": {"name": "', ['Ann', 'Bert'][number % 2 + 1], '", "age": ', toString(number % 50), ', "email": "', toString(number), '@a.example"},
  "tags": ["x"], "items": [{"n": 1}], "mixed": ', if(number % 2, '1', '"s"'), ', "odd \`key": true, "": 1, "paid": "2026-01-0', toString(number % 9 + 1), '"}`

let test: TestEngine

beforeAll(async () => {
  test = await startTestEngine()
  for (const sql of [
    'CREATE DATABASE web',
    'CREATE TABLE web.events (id UInt32, data JSON, kind Tuple(name String)) ENGINE = MergeTree ORDER BY id',
    `INSERT INTO web.events SELECT number, concat('${ROW}'), tuple('a') FROM numbers(1000)`,
    'CREATE TABLE web.hidden (id UInt32, secret JSON) ENGINE = MergeTree ORDER BY id',
    `INSERT INTO web.hidden SELECT 1, '{"known": "to nobody"}'`,
    'CREATE TABLE web.lone (only JSON) ENGINE = MergeTree ORDER BY tuple()',
    `INSERT INTO web.lone SELECT '{"a": 1}'`,
  ])
    await test.warehouse.write({ sql }, AbortSignal.timeout(30_000))
})
afterAll(() => test.close())

async function load(privateColumns: readonly string[]): Promise<{ schema: Schema; reads: readonly RecordedRead[] }> {
  const { warehouse, reads } = recordReads(test.warehouse)
  const catalog = new SchemaCatalog(
    { warehouse, store: createMemoryStateStore({ now: Date.now }), logger: createLogger({ level: 'silent' }) },
    { databases: ['web'], privateColumns, firstMomentMs: 30_000 },
  )
  const schema = await catalog.load(AbortSignal.timeout(60_000))
  await catalog.close()
  return { schema, reads }
}

it('shows JSON paths as SQL expressions, with types and values', async () => {
  const { schema } = await load([])
  const { text } = renderSchema(schema)
  expect(text).toContain(`  data JSON -- its paths, as SQL reads them, are:
    data.items.:"Array(JSON)"
    data.mixed.:Int64 or data.mixed.:String
    data."odd \\x60key".:Bool
    data.paid.:Date -- 2026-01-01 to 2026-01-09
    data.tags.:"Array(Nullable(String))" -- elements: 'x'
    data.user.age.:Int64 -- 0 to 49
    data.user.email.:String -- about 1,000 distinct
    data.user.name.:String -- 2 distinct
`)
  expect(text).toContain('    only.a.:Int64')
  expect(describeTable(schema, 'events')).toMatchObject({
    markdown: expect.stringContaining('| `data.user.age.:Int64` | `Int64` |'),
  })
})

it('gives expressions that pass the guard and the checks, and run', async () => {
  const { schema } = await load([])
  const data = schema.tables.find(({ name }) => name === 'events')?.columns.find(({ name }) => name === 'data')
  const { text } = renderSchema(schema)
  const expressions = [...text.matchAll(/^ {4}(data\..*?)(?: -- .*)?$/gm)].flatMap(([, each = '']) => each.split(' or '))
  expect(expressions).toHaveLength((data?.paths?.length ?? 0) + 1)
  const signal = AbortSignal.timeout(60_000)
  const sql = `SELECT ${expressions.join(', ')} FROM web.events WHERE data.user.name = 'Bert' AND data.user.age.:Int64 = 1 LIMIT 1`
  const verdict = await new EngineSqlGuard({ warehouse: test.warehouse }).check(sql, scopeOfSchema(schema, ['web']), signal)
  if (verdict.verdict !== 'allow') throw new Error(verdict.message)
  const validator = new EngineQueryValidator({ warehouse: test.warehouse, maxRows: 100 })
  expect(await validator.check(verdict, { schema, isAffordable: () => true }, signal)).toMatchObject({ verdict: 'valid' })
  const { rows } = await test.warehouse.read({ sql: verdict.canonical }, signal)
  expect(rows).toEqual([[[{ n: '1' }], '1', null, true, '2026-01-02', ['x'], '1', '1@a.example', 'Bert']])
})

it('reads nothing of private columns, or of columns with a private path or element', async () => {
  const { schema, reads } = await load(['web.hidden.secret', 'events.data.user.email', 'events.kind.name'])
  const marked = schema.tables.flatMap(({ columns }) => columns.filter(({ isPrivate }) => isPrivate).map(({ name }) => name))
  expect(marked).toEqual(['data', 'kind', 'secret'])
  expect(JSON.stringify(schema)).not.toContain('known')
  expect(reads.filter(({ sql }) => /`(?:data|secret)`/.test(sql))).toEqual([])
  const guard = new EngineSqlGuard({ warehouse: test.warehouse })
  for (const column of ['data.user.name', 'data.^user', 'data', '*', 'secret.known.:String'])
    expect(
      await guard.check(
        `SELECT ${column} FROM ${column.startsWith('s') ? 'hidden' : 'events'}`,
        scopeOfSchema(schema, ['web']),
        AbortSignal.timeout(60_000),
      ),
    ).toMatchObject({ verdict: 'reject' })
})
