import { describe, expect, it } from '@jest/globals'
import { AnalystSuite, classified, draft, plan } from '../../../test/support/analyst-suite.ts'
import { columnOf, schemaOf, tableOf } from '../../../test/support/schema-fixture.ts'
import type { TableSchema } from '../../warehouse/schema.ts'
import type { ReadContext } from '../run/context.ts'
import { findDataEdges } from './find-data-edges.ts'

/**
 * Rides every few minutes from 3 October, 06:12, to 21 November, 14:05. Measurements of each day from 1 October to 20 November.
 * Stations that opened at irregular times.
 */
const suite = new AnalystSuite({
  statements: [
    `CREATE TABLE rides (id UInt64, bike UInt32, started Nullable(DateTime64(3, 'Europe/Berlin')), price Decimal(9, 2)) ENGINE = MergeTree
       PARTITION BY toYYYYMM(assumeNotNull(started)) ORDER BY (bike, id)`,
    `INSERT INTO rides SELECT number, number % 50, toDateTime64('2026-10-03 06:12:00', 3, 'Europe/Berlin') + toIntervalSecond(intDiv(number * 4265580, 5999)), 2.5 FROM numbers(6000)`,
    'CREATE TABLE `rain per day` (day Date, mm Float32) ENGINE = MergeTree ORDER BY day',
    "INSERT INTO `rain per day` SELECT toDate('2026-10-01') + number, number % 3 FROM numbers(51)",
    "CREATE TABLE changes (id UInt32, changed DateTime('Europe/Berlin')) ENGINE = MergeTree ORDER BY (id, changed)",
    "INSERT INTO changes SELECT number, toDateTime('2026-01-01 05:30:00', 'Europe/Berlin') + number * 160000 FROM numbers(176)",
    'CREATE TABLE stations (id UInt32, opened Date) ENGINE = MergeTree ORDER BY id',
    "INSERT INTO stations SELECT number, toDate('2024-04-01') + 21 * number FROM numbers(40)",
  ],
})
/** The note of a query that depends on the calendar. */
const ZONE = 'Days are those of Europe/Berlin.'
const ASKED_AT = Date.parse('2026-11-23T11:00:00Z')

async function edgesOf(sql: string, language = 'en') {
  suite.script = {
    classify: () => classified({ language }),
    decompose: () => plan('The figure.'),
    generate: () => draft(sql),
    synthesize: () => '{count()} rows [Q1].',
    review_empty: () => ({ verdict: 'expected', reason: 'None.', suggestion: null }),
  }
  const { ask } = await suite.open({ lookUpTimeLimitMs: 20_000 })
  const { result } = await ask('How many?', { askedAt: ASKED_AT, timeZone: 'Europe/Berlin' })
  return result
}

describe('a period that reaches beyond the data', () => {
  it.each<[string, string, string]>([
    ['up to now', "SELECT count() AS n FROM rides WHERE started >= '2026-11-01'", 'The data ends on 21 November at 14:05.'],
    [
      'to the end of its last day',
      "SELECT count() AS n FROM rides WHERE toDate(started, 'Europe/Berlin') BETWEEN '2026-11-15' AND '2026-11-21'",
      'The data ends on 21 November at 14:05.',
    ],
    [
      'in a month that began before',
      "SELECT count() AS n FROM rides WHERE started >= '2026-10-01' AND started < '2026-11-01'",
      'The data begins on 3 October.',
    ],
    [
      'of a month as a number',
      'SELECT count() AS n FROM rides WHERE toYYYYMM(started) = 202610',
      'The data begins on 3 October.',
    ],
    [
      'as a series',
      'SELECT toStartOfWeek(started, 1) AS week, count() AS n FROM rides GROUP BY week ORDER BY week LIMIT 99',
      'The data runs from 3 October to 21 November at 14:05.',
    ],
    [
      'in the condition of an aggregate',
      "SELECT countIf(started >= '2026-11-20') AS new, countIf(started < '2026-11-20' AND started >= '2026-11-10') AS old FROM rides",
      'The data ends on 21 November at 14:05.',
    ],
    [
      'behind a subquery, with alternatives',
      "WITH r AS (SELECT bike, started FROM rides WHERE bike < 9) SELECT count() AS n FROM r WHERE toYYYYMM(started) = 202610 OR started BETWEEN '2026-11-02' AND '2026-11-09'",
      'The data begins on 3 October.',
    ],
    [
      'of the day of the first row',
      "SELECT count() AS n FROM rides WHERE started >= '2026-10-03' AND started < '2026-10-04'",
      'The data begins on 3 October at 06:12.',
    ],
    ['of a table of days', "SELECT sum(mm) AS mm FROM `rain per day` WHERE day >= '2026-11-15'", 'The data ends on 20 November.'],
    [
      'of one of several tables',
      "SELECT count() AS n FROM rides AS r JOIN `rain per day` AS d ON d.day = toDate(r.started) WHERE r.started >= '2026-10-05' AND r.started < '2026-11-22'",
      'The data in `default.rides` ends on 21 November at 14:05.',
    ],
  ])('%s is MEDIUM, in words about the data', async (_, sql, reason) => {
    const note = /\bstarted\b/.test(sql) ? `${reason} ${ZONE}` : reason
    expect(await edgesOf(sql)).toMatchObject({ confidence: 'MEDIUM', confidence_reason: reason, note })
  })

  it('is told in German', async () => {
    expect(await edgesOf("SELECT count() AS n FROM rides WHERE started >= '2026-10-01'", 'de')).toMatchObject({
      confidence_reason: 'Die Daten reichen vom 3. Oktober bis zum 21. November um 14:05 Uhr.',
    })
  })

  it('is told to whoever writes the answer', async () => {
    const calls = suite.calls('synthesize')
    await edgesOf("SELECT count() AS n FROM rides WHERE started >= '2026-11-01'")
    expect(JSON.stringify(calls())).toContain('The data end at 2026-11-21 14:05, within the period that is asked for.')
  })
})

function searcher(table: TableSchema) {
  const sent: string[] = []
  const read: ReadContext['warehouse']['read'] = (query, signal) => {
    sent.push(query.sql)
    return suite.engine.warehouse.read(query, signal)
  }
  const warehouse = { read }
  const search = (canonical: string, { at = ASKED_AT, of = table } = {}) => {
    const request = { asked_at: new Date(at).toISOString(), time_zone: 'Europe/Berlin' }
    const context = { warehouse, dialect: 'clickhouse', request } as unknown as ReadContext
    const query = { canonical, tables: [`default.${table.name}`] }
    return findDataEdges(context, { schema: schemaOf(of), query }, new AbortController().signal)
  }
  const ranges = () => sent.filter(sql => sql.startsWith('SELECT toString(min(')).length
  return { search, ranges }
}

it('no doubt comes of rare changes while the catalog has no statistics of them', async () => {
  const columns = [columnOf('id', 'UInt32'), columnOf('changed', "DateTime('Europe/Berlin')")]
  const { search, ranges } = searcher(tableOf('changes', { database: 'default', sortingKey: 'id, changed', columns }))
  expect(await search("SELECT count() FROM default.changes WHERE changed >= '2026-11-22'")).toBeNull()
  expect(ranges()).toBe(1)
})

it('reads the range of a column once for the questions of half a minute, and again when rows are added', async () => {
  const columns = [columnOf('day', 'Date'), columnOf('mm', 'Float32')]
  const table = tableOf('rain per day', { database: 'default', sortingKey: 'day', columns })
  const { search, ranges } = searcher(table)
  const sql = "SELECT sum(mm) FROM default.`rain per day` WHERE day >= '2026-11-15'"
  const edges = { table: 'default.rain per day', begins: null, ends: '2026-11-20', zone: null }
  expect(await search(sql)).toEqual(edges)
  expect(await search(`${sql} AND mm > 1`, { at: ASKED_AT + 30_000 })).toEqual(edges)
  expect(ranges()).toBe(1)
  expect(await search(sql, { at: ASKED_AT + 30_001 })).toEqual(edges)
  expect(ranges()).toBe(2)
  expect(await search(sql, { of: { ...table, rows: 52 } })).toEqual(edges)
  expect(ranges()).toBe(3)
})

describe('no doubt comes of a period', () => {
  it.each<[string, string, string?]>([
    [
      'that lies within the data',
      "SELECT count() AS n FROM rides WHERE started >= '2026-10-05' AND started < '2026-11-21'",
      ZONE,
    ],
    [
      'that begins on the day of the first row',
      "SELECT count() AS n FROM rides WHERE started >= '2026-10-03' AND started < '2026-10-20'",
      ZONE,
    ],
    [
      'that begins and ends with them',
      "SELECT count() AS n FROM rides WHERE started BETWEEN '2026-10-03 06:00:00' AND '2026-11-21 14:30:00'",
    ],
    [
      'of whole days that all have rows',
      "SELECT sum(mm) AS mm FROM `rain per day` WHERE day BETWEEN '2026-10-01' AND '2026-11-20'",
    ],
    [
      'counted back from the last row',
      'SELECT count() AS n FROM rides WHERE started >= (SELECT max(started) FROM rides) - INTERVAL 7 DAY',
    ],
    ['that nobody asked for', 'SELECT count() AS n, max(started) AS last FROM rides'],
    ['of things that come now and then', "SELECT count() AS n FROM stations WHERE opened >= '2026-01-01'"],
    ['by the hour of the day', 'SELECT count() AS n FROM rides WHERE toHour(started) < 6', ZONE],
    ['that is a state at a moment', "SELECT count() AS n FROM rides WHERE started <= '2026-12-01'", ZONE],
    ['that is still to come', "SELECT count() AS n FROM rides WHERE started >= '2026-12-01'", ZONE],
  ])('%s', async (_, sql, note = '') => {
    expect(await edgesOf(sql)).toMatchObject({ confidence: 'HIGH', note })
  })
})
