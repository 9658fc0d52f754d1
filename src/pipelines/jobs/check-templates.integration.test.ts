import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { resolvedReferences } from '../../../test/fuzz/resolved-references.ts'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { PipelineTables } from '../tables.ts'
import { checkTemplates } from './check-templates.ts'
import { parseJobDefinition } from './definition.ts'

jest.setTimeout(60_000)

const signal = new AbortController().signal

let test: TestEngine
beforeAll(async () => {
  test = await startTestEngine()
  const tables = new PipelineTables(test.warehouse, 'pipelines')
  await tables.createDatabase(signal)
  await test.warehouse.write({ sql: 'CREATE TABLE pipelines.blocked (id UInt8) ENGINE = MergeTree ORDER BY id' }, signal)
  await test.warehouse.write({ sql: 'CREATE DATABASE `a job`' }, signal)
  for (const name of ['both', 'users']) {
    await test.warehouse.write({ sql: `CREATE TABLE \`a job\`.${name} (id UInt8) ENGINE = MergeTree ORDER BY id` }, signal)
  }
})
afterAll(() => test.close())

function check(sql: string): Promise<void> {
  const definition = `
name: a_job
inputs: { users: { source: SELECT id FROM shop.users }, blocked_ids: { table: p_blocked } }
operations:
  - { name: both, sql: "SELECT * FROM {{ users }} WHERE id NOT IN {{ blocked_ids }}" }
  - name: looked_at
    sql: ${JSON.stringify(sql)}
target: { operation: looked_at, table: a_target }
`
  const tables = new PipelineTables(test.warehouse, 'pipelines')
  return checkTemplates(parseJobDefinition(definition), { warehouse: test.warehouse, tables }, signal)
}

/** Whether the engine, given this SQL, takes the name in question for a table. */
async function engineReadsTheTable(sql: string): Promise<boolean> {
  const rendered = sql.replace(/\{\{ (\w+) \}\}/g, '`a job`.$1')
  const { rows } = await test.warehouse.read({ sql: `EXPLAIN QUERY TREE ${rendered}`, database: 'pipelines' }, signal)
  return resolvedReferences(rows.map(([line]) => String(line))).includes('pipelines.blocked')
}

describe("a name that is also a table's", () => {
  it.each([
    'WITH later AS (SELECT * FROM blocked), blocked AS (SELECT id FROM {{ both }}) SELECT * FROM later',
    'WITH later AS (SELECT id FROM {{ both }} WHERE id IN blocked), blocked AS (SELECT 1 AS id) SELECT * FROM later',
    'SELECT id, [1, 2] AS blocked, id IN blocked AS is_blocked FROM {{ both }}',
    'SELECT id FROM {{ both }} WHERE id NOT IN (blocked) AND notEmpty([1] AS blocked)',
    'SELECT [1] AS blocked, id FROM (SELECT id FROM {{ both }} WHERE id IN blocked)',
    'WITH [1, 2] AS blocked SELECT id FROM {{ both }} WHERE id IN (SELECT id FROM {{ users }} WHERE id IN blocked)',
    'WITH [1] AS blocked, few AS (SELECT id FROM {{ both }} WHERE id IN blocked) SELECT * FROM few',
    'SELECT id FROM {{ both }} ARRAY JOIN [[1]] AS blocked WHERE id IN blocked',
    'SELECT b.id FROM {{ both }} AS b JOIN (SELECT 1 AS id, [1] AS blocked) AS l USING (id) WHERE b.id IN blocked',
    'WITH lists AS (SELECT 1 AS id, [1] AS blocked) SELECT b.id FROM {{ both }} AS b JOIN lists USING (id) WHERE b.id IN blocked',
  ])('may be a CTE, alias or column of the operation if the engine reads it so: %s', async sql => {
    await expect(check(sql)).resolves.toBeUndefined()
    expect(await engineReadsTheTable(sql)).toBe(false)
  })

  it.each([
    'WITH a AS (SELECT * FROM blocked), blocked AS (SELECT * FROM a) SELECT * FROM {{ both }} AS b, blocked AS c',
    'SELECT id, id IN blocked AS blocked FROM {{ both }}',
    'SELECT id, (SELECT [1] AS blocked) AS some, id IN blocked FROM {{ both }}',
  ])('is the table if the engine reads it so: %s', async sql => {
    await expect(check(sql)).rejects.toMatchObject({ message: expect.stringContaining('it reads pipelines.blocked directly') })
    expect(await engineReadsTheTable(sql)).toBe(true)
  })
})

describe('an operation', () => {
  it.each([
    ['SELECT * FROM {{ both }} AS b JOIN shop.users AS u USING (id)', 'shop.users'],
    ['SELECT * FROM {{ both }} UNION ALL SELECT id FROM `shop`.`users`', 'shop.users'],
    ['SELECT *, (SELECT max(id) FROM users) FROM {{ both }}', 'pipelines.users'],
    ['SELECT * FROM {{ both }} WHERE id IN blocked', 'pipelines.blocked'],
    ['SELECT * FROM {{ both }} WHERE id NOT IN (pipelines.blocked)', 'pipelines.blocked'],
    ['WITH users AS (SELECT * FROM users) SELECT * FROM {{ both }}, users', 'pipelines.users'],
    ['SELECT * FROM {{ both }}, view(SELECT * FROM shop.users)', 'shop.users'],
    ['SELECT * FROM {{ both }}, (SELECT 1 SETTINGS max_threads = 1) AS a, shop.users', 'shop.users'],
  ])('may not read a table by its own name: %s', async (sql, table) => {
    await expect(check(sql)).rejects.toMatchObject({
      kind: 'definition',
      message: expect.stringContaining(
        `operation looked_at: it reads ${table} directly, which no log would show: make it an input`,
      ),
    })
  })

  it.each([
    ["SELECT * FROM {{ both }}, remote('other:9000', shop.users)", 'remote()'],
    ["SELECT * FROM {{ both }}, merge('shop', '.*')", 'merge()'],
    ["SELECT dictGet('users', 'name', id) FROM {{ both }}", 'dictGet()'],
    ["SELECT joinGet('shop.users', 'name', id) FROM {{ both }}", 'joinGet()'],
  ])("may not read by a function's text argument: %s", async (sql, named) => {
    await expect(check(sql)).rejects.toMatchObject({ kind: 'definition', message: expect.stringContaining(named) })
  })

  it.each([
    'SELECT * FROM {{ both }} AS b LEFT JOIN {{ users }} AS u USING (id) SETTINGS join_use_nulls = 1',
    'WITH few AS (SELECT * FROM {{ both }} LIMIT 3), fewer AS (SELECT * FROM few) SELECT * FROM fewer WHERE id IN few -- the end',
    'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT * FROM n, {{ both }}',
    "SELECT id, [1, 2] AS some, id IN some FROM {{ both }} ARRAY JOIN some AS one, numbers(3), values('a UInt8', 1)",
    '(SELECT id FROM {{ both }}) EXCEPT (SELECT id FROM {{ blocked_ids }} FINAL)',
    'SELECT b.id, count() OVER (PARTITION BY b.id) FROM {{ both }} AS b WHERE EXISTS (SELECT 1 FROM {{ users }})',
  ])("may read the job's inputs and operations: %s", async sql => {
    await expect(check(sql)).resolves.toBeUndefined()
  })
})
