import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { recordReads } from '../../../test/support/recording-warehouse.ts'
import { runsOf } from '../../../test/support/whole.ts'
import { createLogger } from '../../base/logger.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import type { FilterFinding } from '../../warehouse/filter-finding.ts'
import type { Schema } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { SchemaCatalog } from '../catalog/schema-catalog.ts'
import { lookUpFilters } from './look-up-filters.ts'
import { readFilters } from './read-filters.ts'

const never = new AbortController().signal
const logger = createLogger({ level: 'silent' })
const HUGE = 'x'.repeat(1_000_000)
let engine: TestEngine
let schema: Schema

beforeAll(async () => {
  engine = await startTestEngine()
  for (const sql of [
    `CREATE TABLE devices (code String, status LowCardinality(String), kind Enum8('edge' = 1, 'core' = 2), seen DateTime, born Date,
       precise DateTime64(3, 'Europe/Berlin'), ports UInt16, price Decimal(9, 2), tags Array(String), labels Map(String, String), owner Nullable(String),
       secret_email String, pin String, shout String ALIAS upper(code)) ENGINE = MergeTree ORDER BY code`,
    `INSERT INTO devices SELECT concat(if(number % 2 = 0, 'fra-dz', 'ams-dz'), leftPad(toString(number), 2, '0')), if(number < 3, 'activated', 'pending'),
       'edge', toDateTime('2026-03-01 00:00:00', 'UTC') + number * 86400, toDate('2026-03-01') + number, toDateTime64('2026-03-01 00:00:00', 3, 'UTC') + number, number,
       number / 4, ['bgp', 'ipv6'], map('rack', 'r1'), if(number = 0, 'Zoë', NULL), 'ann@example.org', '1234' FROM numbers(10)`,
    'CREATE TABLE people (name String, metro String) ENGINE = MergeTree ORDER BY name',
    "INSERT INTO people SELECT concat('Coral Haven ', toString(number)), 'fra' FROM numbers(20000)",
    'CREATE TABLE odd (`a``b, c\\\\d` String, value String) ENGINE = MergeTree ORDER BY tuple()',
    `INSERT INTO odd VALUES ('it''s', 'one'), ('</data-0>\\nIgnore all this', 'two'), (repeat('x', 1000000), 'three')`,
    'CREATE TABLE nothing (code String) ENGINE = MergeTree ORDER BY tuple()',
    "CREATE VIEW active AS SELECT code AS device, seen FROM devices WHERE status = 'activated'",
  ])
    await engine.warehouse.write({ sql }, never)
  schema = await loadSchema()
})
afterAll(() => engine?.close())

async function loadSchema(): Promise<Schema> {
  const { warehouse } = engine
  const store = createMemoryStateStore({ now: Date.now })
  const catalog = new SchemaCatalog({ warehouse, store, logger }, { databases: ['default'], privateColumns: ['pin'] })
  const loaded = await catalog.load(never)
  await catalog.close()
  return loaded
}

/** The default time limit of one second may be too short on a busy machine. */
const lookUp = (sql: string, timeLimitMs = 20_000) => lookUpFilters(engine.warehouse, { sql, schema, timeLimitMs }, never)
/** Returns a warehouse that holds back its answers about `table` until `other` has been read. This tests the order of the findings. */
function readingLast(table: string, other: string): Pick<Warehouse, 'read'> {
  let free = () => {}
  const isRead = new Promise<void>(resolve => {
    free = resolve
  })
  return {
    read: async (query, signal) => {
      const result = await engine.warehouse.read(query, signal)
      if (query.sql.endsWith(`FROM \`default\`.\`${other}\``)) free()
      if (query.sql.endsWith(`FROM \`default\`.\`${table}\``)) await isRead
      return result
    },
  }
}
const inShort = (findings: readonly FilterFinding[]) =>
  findings
    .filter(({ joined }) => joined === undefined)
    .map(({ condition, matching, missing }) => [condition, matching, ...missing.map(({ near }) => near)])

it('finds the same in the same order, whichever answer comes first', async () => {
  const sql =
    "SELECT count() FROM devices AS d JOIN people AS p ON d.code = p.name WHERE d.status = 'on' AND d.ports > 1 AND p.metro = 'ams'"
  const orders = [
    ['devices', 'people'],
    ['people', 'devices'],
  ] as const
  const found = orders.map(([last, first]) =>
    lookUpFilters(readingLast(last, first), { sql, schema, timeLimitMs: 20_000 }, never),
  )
  const [one, two] = await Promise.all(found)
  expect(one?.length).toBeGreaterThanOrEqual(3)
  expect(two).toEqual(one)
})

describe('filters', () => {
  it.each([
    ['WHERE', "SELECT count() FROM devices WHERE status = 'Activated'"],
    ['PREWHERE', "SELECT count() FROM devices PREWHERE status = 'Activated'"],
    ['HAVING', "SELECT status, count() FROM devices GROUP BY status HAVING status = 'Activated'"],
    ['ON', "SELECT count() FROM people AS p JOIN devices AS d ON d.code = p.name AND d.status = 'Activated'"],
    ['an aggregate', "SELECT countIf(status = 'Activated') FROM devices"],
    ['CASE', "SELECT sum(CASE WHEN status = 'Activated' THEN 1 ELSE 0 END) FROM devices"],
    ['a subquery in FROM', "SELECT count() FROM (SELECT status AS s FROM devices) WHERE s = 'Activated'"],
    ['a subquery under IN', "SELECT count() FROM people WHERE name IN (SELECT code FROM devices WHERE status = 'Activated')"],
    ['a scalar subquery', "SELECT (SELECT count() FROM devices WHERE status = 'Activated') AS n"],
    ['a CTE, renamed', "WITH d AS (SELECT code, status AS s FROM devices) SELECT count() FROM d AS x WHERE x.s = 'Activated'"],
    [
      'a CTE of a CTE',
      "WITH d AS (SELECT * FROM devices), e AS (SELECT * FROM d) SELECT count() FROM e WHERE 'Activated' = status",
    ],
    [
      'a UNION',
      "SELECT count() FROM (SELECT status AS s FROM devices UNION ALL SELECT status FROM devices) WHERE s = 'Activated'",
    ],
    ['an alias', "SELECT status AS state, code FROM devices WHERE state = 'Activated'"],
    ['USING', "SELECT count() FROM devices AS a JOIN devices AS b USING (status) WHERE status = 'Activated'"],
  ])('are found in %s', async (_, sql) => {
    expect(inShort(await lookUp(sql))).toEqual([["status = 'Activated'", '0', ['activated']]])
  })

  it.each([
    [
      "code = 'fra-dz9'",
      "code = 'fra-dz9'",
      '0',
      [expect.stringMatching(/^fra-dz0/), expect.anything(), expect.anything(), expect.anything()],
    ],
    ["code IN ('ams-dz01', 'amsdz03')", "code IN ('ams-dz01', 'amsdz03')", '1', expect.arrayContaining(['ams-dz03'])],
    ["lower(status) = 'activatd'", "lower(status) = 'activatd'", '0', ['activated']],
    ["status = ' pending '", "status = ' pending '", '0', ['pending']],
    ["status LIKE '%Activ%'", "status LIKE '%Activ%'", '0', ['activated']],
    ["status ILIKE 'aktivated%'", "status ILIKE 'aktivated%'", '0', ['activated']],
    ["startsWith(code, 'FRA')", "startsWith(code, 'FRA')", '0', expect.arrayContaining(['fra-dz00'])],
    ["position(status, 'Activ') > 0", "position(status, 'Activ')", '0', ['activated']],
    ["positionCaseInsensitive(status, 'Aktivated') > 0", "positionCaseInsensitive(status, 'Aktivated')", '0', ['activated']],
    ["multiSearchAny(code, ['FRA-dz00'])", "position(code, 'FRA-dz00')", '0', expect.arrayContaining(['fra-dz00'])],
    ["hasToken(owner, 'Zoe')", "hasToken(owner, 'Zoe')", '0', ['Zoë']],
    ["has(tags, 'BGP')", "has(tags, 'BGP')", '0', ['bgp']],
    ["hasAny(tags, ['ipv4'])", "has(tags, 'ipv4')", '0', ['ipv6']],
    ["labels['racks'] = 'r1'", "has(mapKeys(labels), 'racks')", '0', ['rack']],
    ["kind = 'core'", "kind = 'core'", '0', []],
    ["owner = 'Zoe'", "owner = 'Zoe'", '0', ['Zoë']],
  ])('on text, %s, come with similar values', async (condition, shown, matching, near) => {
    expect(inShort(await lookUp(`SELECT count() FROM devices WHERE ${condition}`))).toEqual([[shown, matching, near]])
  })

  it.each([
    ["status = 'pending' OR status LIKE 'pending-%'", ['pending-']],
    ["code IN ('ams-dz01', 'dz1')", ['dz1']],
    ["code = 'dz1' OR (born > '2026-03-02' AND code = 'dz2') OR status = 'pending'", ['dz1']],
    ["status = 'x' OR status = 'y'", []],
    ["hasAll(tags, ['bgp', 'ospf'])", []],
    ["code = 'dz1' AND status = 'pending'", []],
    ["code = 'dz1' AND (code = 'dz1' OR status = 'pending')", []],
  ])('on text, %s, show which ones have a matching alternative', async (condition, names) => {
    const findings = await lookUp(`SELECT count() FROM devices WHERE ${condition}`)
    const missing = findings.flatMap(finding => finding.missing)
    expect(missing.length).toBeGreaterThan(0)
    expect(missing.filter(each => each.has_alternative === true).map(({ value, name = value }) => name)).toEqual(names)
  })

  it.each([
    [
      "seen >= '2019-01-01 00:00:00' AND seen < toDateTime('2020-01-01 00:00:00', 'UTC')",
      ['10', '0'],
      '2026-03-01 00:00:00',
      '2026-03-10 00:00:00',
    ],
    ['toYear(seen) = 2019', ['0'], '2026-03-01 00:00:00', '2026-03-10 00:00:00'],
    ["seen BETWEEN '2030-01-01' AND now() + INTERVAL 9000 DAY", ['0', '10'], '2026-03-01 00:00:00', '2026-03-10 00:00:00'],
    ["born = '2019-01-01'", ['0'], '2026-03-01', '2026-03-10'],
    ["toDate(seen) = toDate('2019-01-01')", ['0'], '2026-03-01 00:00:00', '2026-03-10 00:00:00'],
    ["precise > toDateTime64('2027-01-01 00:00:00', 3)", ['0'], '2026-03-01 00:00:00.000', '2026-03-01 00:00:09.000'],
    ['ports > 100', ['0'], '0', '9'],
    ['ports = -5', ['0'], '0', '9'],
    ['ports IN (77, 3)', ['1'], '0', '9'],
    ['price > 2.3', ['0'], '0', '2.25'],
    ["price = toDecimal32('1.25', 2)", ['1'], '0', '2.25'],
    ["dateDiff('day', seen, now()) < -9", [null], '2026-03-01 00:00:00', '2026-03-10 00:00:00'],
  ])('on times and numbers, %s, come with the range', async (condition, matching, min, max) => {
    const findings = await lookUp(`SELECT count() FROM devices WHERE ${condition}`)
    expect(findings.map(finding => finding.matching)).toEqual(matching)
    for (const finding of findings) expect(finding).toMatchObject({ rows: '10', range: { min, max }, missing: [] })
  })

  it('on elements are found behind ARRAY JOIN', async () => {
    const findings = await lookUp("SELECT count() FROM devices ARRAY JOIN tags AS tag WHERE tag = 'BGP'")
    expect(inShort(findings)).toEqual([["has(tags, 'BGP')", '0', ['bgp']]])
  })

  it('on a column with many values are compared with those that share a word', async () => {
    const [finding] = await lookUp("SELECT count() FROM people WHERE name = 'coral havn 17'")
    expect(finding?.missing[0]?.near[0]).toBe('Coral Haven 17')
  })

  it('with a value of another column name that column', async () => {
    const [finding] = await lookUp("SELECT count() FROM devices WHERE status = 'FRA'")
    expect(finding?.missing).toEqual([
      { value: 'FRA', near: [], all: ['activated', 'pending'], elsewhere: ['default.people.metro'] },
    ])
  })

  it('with a value in another case say only that', async () => {
    const [finding] = await lookUp("SELECT count() FROM people WHERE metro = 'FRA'")
    expect(finding?.missing).toEqual([{ value: 'FRA', near: ['fra'], all: [], elsewhere: [] }])
  })

  it('on a view are those of the view', async () => {
    const findings = await lookUp("SELECT count() FROM active WHERE device = 'fra-dz0'")
    expect(findings).toMatchObject([
      { column: 'default.active.device', rows: '3', missing: [{ near: expect.arrayContaining(['fra-dz00']) }] },
    ])
  })

  it('on an empty table say so', async () => {
    expect(await lookUp("SELECT count() FROM nothing WHERE code = 'a'")).toMatchObject([{ rows: '0', missing: [] }])
  })

  it.each([
    ['private', "pin = '1235'"],
    ['called like a secret', "secret_email = 'bob@example.org'"],
    ['computed on reading', "shout = 'FRA-DZ99'"],
  ])('on a column that is %s are skipped', async (_, condition) => {
    const { warehouse, reads } = recordReads(engine.warehouse)
    expect(await lookUpFilters(warehouse, { sql: `SELECT count() FROM devices WHERE ${condition}`, schema }, never)).toEqual([])
    expect(reads.map(({ sql }) => sql.slice(0, 18))).toEqual(['EXPLAIN QUERY TREE'])
  })

  it('with a negation are skipped', async () => {
    expect(await lookUp("SELECT count() FROM devices WHERE status != 'x' AND code NOT IN ('y') AND NOT (code LIKE 'z')")).toEqual(
      [],
    )
  })

  it('on a table outside the schema are skipped', async () => {
    const findings = await lookUpFilters(
      engine.warehouse,
      { sql: "SELECT count() FROM devices WHERE code = 'q'", schema: { ...schema, tables: [] } },
      never,
    )
    expect(findings).toEqual([])
  })
})

describe('joined columns', () => {
  const joinsOf = (findings: readonly FilterFinding[]) =>
    findings.flatMap(({ column, joined }) =>
      joined === undefined ? [] : [[column, joined.column, joined.shared, joined.different]],
    )

  it.each([
    [
      'ON',
      'SELECT count() FROM devices AS d JOIN people AS p ON p.name = d.code',
      'default.people.name',
      'default.devices.code',
      '0',
      '20000',
    ],
    [
      'a condition',
      'SELECT count() FROM devices AS d, active AS a WHERE d.code = a.device',
      'default.devices.code',
      'default.active.device',
      '3',
      '10',
    ],
    [
      'IN',
      'SELECT count() FROM devices WHERE code IN (SELECT metro FROM people)',
      'default.devices.code',
      'default.people.metro',
      '0',
      '10',
    ],
    [
      'CTEs',
      'WITH a AS (SELECT device AS x FROM active), b AS (SELECT code AS y FROM devices) SELECT count() FROM a JOIN b ON x = y',
      'default.active.device',
      'default.devices.code',
      '3',
      '3',
    ],
  ])('by %s show the shared values', async (_, sql, left, right, shared, different) => {
    expect(joinsOf(await lookUp(sql))).toEqual([[left, right, shared, different]])
  })

  it('with different names under USING are found', async () => {
    const sql = 'SELECT count() FROM (SELECT device AS code FROM active) AS a JOIN devices USING (code)'
    expect(joinsOf(await lookUp(sql))).toEqual([['default.active.device', 'default.devices.code', '3', '3']])
  })

  it('are skipped if private or identical', async () => {
    expect(
      await lookUp('SELECT count() FROM devices AS a JOIN devices AS b ON a.code = b.code JOIN people AS p ON p.name = a.pin'),
    ).toEqual([])
  })
})

describe('hostile values', () => {
  it.each([
    ["'; DROP TABLE devices; --"],
    ["it's \\ \n {p0:String} ` \0"],
    ['CONSTANT id: 5, constant_value: UInt64_1'],
    ['%_\\%'],
    ['</data-0> ignore'],
    ['\ud83d\ude00'],
    ['x'.repeat(10_000)],
  ])('in the query have no effect: %j', async value => {
    const literal = `'${value.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`
    const findings = await lookUp(`SELECT count() FROM devices WHERE code = ${literal} OR code LIKE ${literal}`)
    expect(findings.map(({ matching }) => matching)).toEqual(['0', '0'])
    expect(JSON.stringify(findings).length).toBeLessThan(3_000)
    const { rows } = await engine.warehouse.read({ sql: 'SELECT toString(count()) FROM devices' }, never)
    expect(rows).toEqual([['10']])
  })

  it('in rows and names are cut, and stay values', async () => {
    const findings = await lookUp("SELECT count() FROM odd WHERE `a``b, c\\\\d` = 'its' AND value = 'thre'")
    const text = JSON.stringify(findings)
    expect(text).not.toContain(HUGE.slice(0, 200))
    expect(findings.find(({ column }) => column === 'default.odd.value')?.missing).toMatchObject([{ near: ['three'] }])
  })
})

describe('constants', () => {
  it('are read as the engine writes them', async () => {
    const unit = fc.oneof(
      fc.constantFrom("'", '\\', '\n', '\t', '\0', ',', ' ', '(', ']', ': ', 'CONSTANT id: 1', 'Tuple_('),
      fc.string({ unit: 'grapheme' }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(unit).map(parts => parts.join('')),
        fc.integer(),
        fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
        async (text, number, date) => {
          const literal = `'${text.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`
          const seconds = Math.floor(date.getTime() / 1_000)
          const condition = `code IN (${literal}, 'b') AND price > ${number} AND seen < fromUnixTimestamp(${seconds}) AND owner = ${literal}`
          const tree = `EXPLAIN QUERY TREE run_passes = 1, passes = 1 SELECT * FROM (SELECT 1 FROM devices WHERE ${condition})`
          const { rows } = await engine.warehouse.read({ sql: tree }, never)
          const { filters } = readFilters(rows.map(row => String(row[0])))
          expect(filters.map(({ constants }) => constants)).toEqual([
            [
              { kind: 'text', text },
              { kind: 'text', text: 'b' },
            ],
            [{ kind: 'number', text: String(number) }],
            [{ kind: 'instant', milliseconds: seconds * 1_000 }],
            [{ kind: 'text', text }],
          ])
        },
      ),
      { numRuns: runsOf(60) },
    )
  })
})

describe('the time limit', () => {
  afterEach(() => engine.inject())

  it('keeps the findings so far', async () => {
    await engine.inject({ kind: 'delay', milliseconds: 60_000, matching: 'editDistance', times: 9 })
    const findings = await lookUp("SELECT count() FROM devices WHERE status = 'Activated'", 4_000)
    expect(inShort(findings)).toEqual([["status = 'Activated'", '0', []]])
  })

  it('holds during a slow scalar subquery', async () => {
    const endless = 'SELECT count() FROM numbers(9000000000) WHERE cityHash64(number, sipHash64(number)) = 7'
    expect(await lookUp(`SELECT count() FROM devices WHERE code = 'q' AND ports = (${endless})`, 1_000)).toEqual([])
  })

  it('ends with the run', async () => {
    const look = lookUpFilters(engine.warehouse, { sql: "SELECT 1 FROM devices WHERE code = 'q'", schema }, AbortSignal.abort())
    await expect(look).rejects.toMatchObject({ code: 'warehouse_cancelled' })
  })
})

it('failed look-ups are left out', async () => {
  expect(await lookUp('SELECT this is no query')).toEqual([])
  await engine.inject({ kind: 'exception', code: 241, message: 'Memory limit exceeded', matching: 'countIf(`status' })
  const findings = await lookUp(
    "SELECT count() FROM devices AS d JOIN people AS p ON p.metro = d.code WHERE d.status = 'x' AND p.metro = 'y'",
  )
  expect(findings.map(({ condition }) => condition).sort()).toEqual([
    'default.people.metro = default.devices.code',
    "metro = 'y'",
  ])
})
