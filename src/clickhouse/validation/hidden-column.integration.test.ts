import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { columnOf, schemaOf, tableOf } from '../../../test/support/schema-fixture.ts'
import { scopeOfSchema } from '../../warehouse/scope-of-schema.ts'
import { EngineSqlGuard } from '../guard/engine-sql-guard.ts'
import { findHiddenColumn } from './hidden-column.ts'

const VISITS = [
  columnOf('day', 'Date'),
  columnOf('shop', 'String'),
  columnOf('visitors', 'UInt32'),
  columnOf('hours', 'Array(UInt8)'),
]
const SHOPS = [columnOf('shop', 'String'), columnOf('opened', 'Date'), columnOf('city', 'String')]
const schema = schemaOf(tableOf('visits', { columns: VISITS }), tableOf('shops', { columns: SHOPS }))
const signal = AbortSignal.timeout(60_000)

let engine: TestEngine
let guard: EngineSqlGuard

beforeAll(async () => {
  engine = await startTestEngine({ database: 'shop' })
  const write = (sql: string) => engine.warehouse.write({ sql }, signal)
  await engine.warehouse.write({ sql: 'CREATE DATABASE shop', database: 'default' }, signal)
  await write('CREATE TABLE visits (day Date, shop String, visitors UInt32, hours Array(UInt8)) ENGINE = MergeTree ORDER BY day')
  await write('CREATE TABLE shops (shop String, opened Date, city String) ENGINE = MergeTree ORDER BY shop')
  await write("INSERT INTO visits SELECT toDate('2026-01-01') + number, 'Oslo', 1, [number % 24] FROM numbers(90)")
  await write("INSERT INTO shops VALUES ('Oslo', '2026-02-15', 'Oslo')")
  guard = new EngineSqlGuard({ warehouse: engine.warehouse })
})

afterAll(async () => {
  await engine?.close()
})

async function hidden(sql: string): Promise<string | undefined> {
  const verdict = await guard.check(sql, scopeOfSchema(schema, ['shop']), signal)
  if (verdict.verdict !== 'allow') throw new Error(verdict.message)
  return findHiddenColumn(verdict, schema)
}

async function rows(sql: string): Promise<unknown> {
  return (await engine.warehouse.read({ sql }, signal)).rows
}

describe('an alias that hides a column in a condition', () => {
  it('is reported, since the engine filters on the alias', async () => {
    const sql = (column: string) =>
      `SELECT toStartOfMonth(day) AS day, sum(visitors) AS n FROM visits WHERE ${column} >= '2026-02-15' GROUP BY day ORDER BY day`
    expect(await rows(sql('day'))).not.toEqual(await rows(sql('visits.day')))
    expect(await hidden(sql('day'))).toBe(
      'In WHERE, day means the alias day, toStartOfMonth(…), not the column day: give the alias a name that no column has.',
    )
  })

  it.each([
    "SELECT toStartOfMonth(day) AS day, count() FROM visits PREWHERE day >= '2026-02-15' GROUP BY day",
    "SELECT toStartOfMonth(v.day) AS day, count() FROM visits AS v WHERE v.shop = 'Oslo' AND day >= '2026-02-15' GROUP BY day",
    "SELECT count(), max(toStartOfMonth(day) AS day) FROM visits WHERE day >= '2026-02-15'",
    "SELECT max(day) AS day FROM visits WHERE day >= '2026-02-15'",
    "SELECT upper(s.shop) AS city FROM visits AS v JOIN shops AS s USING (shop) WHERE city = 'Oslo'",
    "WITH toStartOfMonth(day) AS day SELECT day, count() FROM visits WHERE day >= '2026-02-15' GROUP BY day",
    "SELECT toStartOfMonth(day) AS day, count() FROM (SELECT day FROM visits) WHERE day >= '2026-02-15' GROUP BY day",
    "WITH d AS (SELECT * FROM visits) SELECT toStartOfMonth(day) AS day, count() FROM d WHERE day >= '2026-02-15' GROUP BY day",
    "WITH m AS (SELECT toStartOfMonth(day) AS day FROM visits WHERE day >= '2026-02-15') SELECT count() FROM m",
    "SELECT shop FROM shops WHERE shop IN (SELECT lower(shop) AS shop FROM visits WHERE shop = 'Oslo')",
    "SELECT 1 AS n UNION ALL SELECT count(toStartOfMonth(day) AS day) FROM visits WHERE day >= '2026-02-15'",
    "SELECT upper(v.shop) AS city FROM visits AS v JOIN shops AS s ON v.shop = s.shop AND city = 'Oslo' JOIN shops AS t ON t.shop = s.shop",
    "SELECT toStartOfMonth(day) AS day FROM visits ARRAY JOIN hours AS hour WHERE day >= '2026-02-15'",
  ])('is reported: %s', async sql => {
    expect(await hidden(sql)).toMatch(/^In (?:WHERE|PREWHERE|ON), (\w+) means the alias \1/)
  })

  it.each([
    // No fault in these queries: the alias has another name than the column, or the condition writes the column with its table.
    "SELECT toStartOfMonth(day) AS month, count() FROM visits WHERE day >= '2026-02-15' GROUP BY month",
    "SELECT toStartOfMonth(day) AS day, count() FROM visits WHERE visits.day >= '2026-02-15' GROUP BY day",
    "SELECT toStartOfMonth(day) AS day, count() FROM visits AS v WHERE v.day >= '2026-02-15' GROUP BY day",
    // No fault here: the alias stands for the unchanged column.
    "SELECT v.day AS day, shop AS city FROM visits AS v WHERE day >= '2026-02-15'",
    // No fault in these three queries: HAVING may use aliases, `visits` has no column `month`, and the condition writes `visits.day`.
    "SELECT toStartOfMonth(day) AS day, count() FROM visits GROUP BY day HAVING day >= '2026-02-15' ORDER BY day",
    "SELECT toStartOfMonth(day) AS month FROM visits WHERE month >= '2026-02-01'",
    "WITH toDate('2026-02-15') AS day SELECT count() FROM visits WHERE visits.day = day",
    // No fault here: USING contains column names, never aliases.
    'SELECT upper(shop) AS shop, count() FROM visits JOIN shops USING (shop) GROUP BY shop',
    // No fault in these queries: alias and condition belong to different queries, or the column's type shows that the condition means the alias.
    "SELECT toStartOfMonth(day) AS day, count() FROM visits WHERE shop IN (SELECT shop FROM visits WHERE day >= '2026-02-15') GROUP BY day",
    "SELECT toStartOfMonth(day) AS day, count() FROM (SELECT day FROM visits WHERE day >= '2026-02-15') GROUP BY day",
    'SELECT toStartOfMonth(day) AS day, count() FROM visits WHERE arrayExists(day -> day = 3, hours) GROUP BY day',
    "SELECT count(), (SELECT max(opened) AS day FROM shops) FROM visits WHERE day >= '2026-02-15'",
    "SELECT lower(city) AS day, count() FROM shops WHERE day = 'oslo' GROUP BY day",
  ])('is not reported: %s', async sql => {
    expect(await hidden(sql)).toBeUndefined()
  })

  it('is reported in ON, where the engine also prefers the alias', async () => {
    const sql = (column: string) =>
      `SELECT toStartOfMonth(day) AS day, count() FROM visits JOIN shops ON ${column} = shops.opened GROUP BY day`
    expect(await rows(sql('day'))).not.toEqual(await rows(sql('visits.day')))
    expect(await hidden(sql('day'))).toMatch(/^In ON, day means the alias day/)
    expect(await hidden(sql('visits.day'))).toBeUndefined()
  })
})
