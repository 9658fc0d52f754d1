import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { type RecordedRead, recordReads } from '../../../test/support/recording-warehouse.ts'
import { createLogger } from '../../base/logger.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import { findTable } from '../../warehouse/catalog/find-table.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import type { ColumnSchema, ColumnStatistics, Schema } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { SchemaCatalog } from './schema-catalog.ts'

const ROWS = 2_000_000
const WEIRD_TABLE = '`we``ird \\n na.me`'
const WEIRD_COLUMN = '`c``ol\\n\\\\ "x"`'

let engine: TestEngine
let reads: readonly RecordedRead[]
let schema: Schema

/** Gathers the statistics of the database `stats` once for all tests. The column `secret` is private. */
beforeAll(async () => {
  engine = await startTestEngine()
  for (const sql of fixtures()) await engine.warehouse.write({ sql }, AbortSignal.timeout(30_000))
  const recorder = recordReads(engine.warehouse)
  const catalog = openCatalog(recorder.warehouse, 'stats')
  schema = await catalog.load(AbortSignal.timeout(30_000))
  await catalog.close()
  reads = recorder.reads
})
afterAll(() => engine.close())

function openCatalog(warehouse: Warehouse, database: string): SchemaCatalog {
  return new SchemaCatalog(
    { warehouse, store: createMemoryStateStore({ now: Date.now }), logger: createLogger({ level: 'silent' }) },
    { databases: [database], privateColumns: ['people.secret'], firstMomentMs: 30_000 },
  )
}

function fixtures(): readonly string[] {
  const columns = 'ts DateTime, id UInt64, status String, tail String, email String, amount Nullable(Int32)'
  const values = `toDateTime('2026-01-01 00:00:00', 'UTC') + number * 4, number, ['active', 'drained', 'deleted'][number % 3 + 1],
    repeat('x', number % 7), 'user' || toString(intDiv(number, 20000)) || '@example.com', if(number % 4 = 0, NULL, number % 1000)`
  const large = [
    'by_month PARTITION BY toYYYYMM(ts) ORDER BY (status, ts)',
    'by_time ORDER BY (ts, id)',
    'by_owner ORDER BY (email, id)',
  ]
  return [
    'CREATE DATABASE stats',
    ...large.flatMap(table => [
      `CREATE TABLE stats.${table.replace(' ', ` (${columns}) ENGINE = MergeTree `)}`,
      `INSERT INTO stats.${table.split(' ')[0]} SELECT ${values} FROM numbers(${ROWS})`,
    ]),
    `CREATE TABLE stats.deleted_from (${columns}) ENGINE = MergeTree ORDER BY (ts, id)`,
    `INSERT INTO stats.deleted_from SELECT ${values} FROM numbers(${ROWS})`,
    'DELETE FROM stats.deleted_from WHERE id = 7',
    `CREATE TABLE stats.people (id UInt32, name LowCardinality(Nullable(String)), level Enum8('low' = 1, 'it''s high' = 2), score Decimal(20, 4),
      seen DateTime64(3, 'Europe/Berlin'), born Nullable(Date), tags Array(LowCardinality(String)), settings Map(String, UInt64),
      homes Nested(kind String, number String), active Bool, big UInt64, ratio Float64, secret String, e_mail String,
      place Tuple(x Int8, y String), document JSON, states AggregateFunction(uniq, UInt64), key UUID, address IPv4,
      latest SimpleAggregateFunction(max, DateTime), doubled UInt64 ALIAS id * 2, tripled UInt64 MATERIALIZED id * 3,
      given UInt8 EPHEMERAL, long String, code FixedString(2)) ENGINE = MergeTree ORDER BY id`,
    `INSERT INTO stats.people (id, name, level, score, seen, born, tags, settings, homes.kind, homes.number, active, big, ratio, secret, e_mail, long)
      SELECT number, if(number % 4 = 0, NULL, 'n' || toString(number % 3)), 'low', number + 0.5, '2026-02-01 10:00:00', NULL, ['a', 'b'],
        map('colour', 1, 'size', 2), ['home'], ['123'], number % 2, 18446744073709551615 - number, number / 3, 'hush-' || toString(number % 2),
        'me@example.com', repeat('ü', 150) FROM numbers(100)`,
    `CREATE TABLE stats.${WEIRD_TABLE} (${WEIRD_COLUMN} String COMMENT 'one\\ntwo', clew_value Array(String)) ENGINE = Memory`,
    `INSERT INTO stats.${WEIRD_TABLE} VALUES ('it''s\\n', ['v'])`,
    'CREATE TABLE stats.fat (id UInt64, status LowCardinality(String), body String) ENGINE = MergeTree ORDER BY id SETTINGS min_bytes_for_wide_part = 0',
    "INSERT INTO stats.fat SELECT number, 'new', repeat(toString(number), 500) FROM numbers(20000)",
    'CREATE TABLE stats.nothing (ts DateTime, name String) ENGINE = MergeTree ORDER BY ts',
    'CREATE VIEW stats.a_view AS SELECT status, count() AS links FROM stats.by_time GROUP BY status',
    'CREATE VIEW stats.with_parameter AS SELECT {wanted:String} AS name',
    `CREATE MATERIALIZED VIEW stats.per_status ENGINE = SummingMergeTree ORDER BY name
      AS SELECT name, count() AS people FROM stats.nothing GROUP BY name`,
  ]
}

function column(table: string, name: string): ColumnSchema {
  const search = findTable(schema, `stats.${table}`)
  if (search.kind !== 'found') throw new Error(`${table} is ${search.kind}`)
  const found = search.table.columns.find(candidate => candidate.name === name)
  if (found === undefined) throw new Error(`${table} has no ${name}`)
  return found
}

function statistics(table: string, name: string): ColumnStatistics {
  const found = column(table, name).statistics
  if (found === undefined) throw new Error(`${table}.${name} has no statistics`)
  return found
}

function rowsReadOf(table: string): number {
  const ofTable = reads.filter(read => read.sql.includes(`\`${table}\``))
  return ofTable.reduce((sum, read) => sum + (read.result?.rowsRead ?? Number.NaN), 0)
}

describe('statistics of a large table', () => {
  it.each(['by_month', 'by_time', 'by_owner', 'deleted_from'])('read only a small part of %s', table => {
    const rowsRead = rowsReadOf(table)
    expect(rowsRead).toBeGreaterThan(CATALOG_LIMITS.scanRows / 4)
    expect(rowsRead).toBeLessThan(3 * CATALOG_LIMITS.scanRows)
    expect(rowsRead).toBeLessThan(ROWS / 4)
    expect(statistics(table, 'id')).toMatchObject({ exact: false, samples: [] })
    expect(statistics(table, 'status').samples.toSorted()).toEqual(['active', 'deleted', 'drained'])
    expect(statistics(table, 'amount').nullShare).toBeCloseTo(0.25, 2)
  })

  it('take the exact time range from the keys, without reading rows', () => {
    const range = { min: '2026-01-01 00:00:00', max: '2026-04-03 14:13:16', rangeExact: true }
    expect(statistics('by_month', 'ts')).toMatchObject(range)
    expect(statistics('by_time', 'ts')).toMatchObject(range)
    const layouts = reads.filter(read => read.sql.startsWith('SELECT _partition_id'))
    expect(layouts).toHaveLength(3)
    for (const layout of layouts) expect(layout.result?.rowsRead).toBeLessThan(100)
  })

  it('do not call a range exact if only a part was scanned', () => {
    expect(statistics('by_owner', 'ts').rangeExact).toBeUndefined()
    expect(statistics('deleted_from', 'ts').rangeExact).toBeUndefined()
    expect(statistics('deleted_from', 'ts').max).toBe('2026-04-03 14:13:16')
  })

  it('cover the most recent part if the keys allow it', () => {
    expect(Number(statistics('by_time', 'id').min)).toBe(ROWS - CATALOG_LIMITS.scanRows)
    expect(Number(statistics('by_month', 'id').min)).toBeGreaterThan(ROWS / 2)
  })

  it('show no values if the part has few only because the table is sorted', () => {
    expect(statistics('by_owner', 'email').distinct).toBeLessThan(CATALOG_LIMITS.sampledDistinct)
    expect(statistics('by_owner', 'email').samples).toEqual([])
  })
})

describe('statistics within narrow bounds', () => {
  it('skip a column of long text', () => {
    expect(column('fat', 'body').statistics).toBeUndefined()
    expect(statistics('fat', 'status').samples).toEqual(['new'])
    expect(reads.filter(read => read.sql.includes('`body`'))).toEqual([])
  })

  it('manage with a grant of single columns', async () => {
    const { warehouse, reads: narrowReads } = recordReads({
      description: 'a reader with grants of columns',
      readOwn: engine.warehouse.readOwn.bind(engine.warehouse),
      write: engine.warehouse.write.bind(engine.warehouse),
      close: engine.warehouse.close.bind(engine.warehouse),
      async read(query, signal) {
        if (/\b_part/.test(query.sql)) throw new WarehouseError('Not enough privileges', { kind: 'denied', serverCode: 497 })
        return await engine.warehouse.read(query, signal)
      },
    })
    const catalog = openCatalog(warehouse, 'stats')
    const narrow = await catalog.load(AbortSignal.timeout(20_000))
    await catalog.close()
    const status = narrow.tables.find(({ name }) => name === 'by_time')?.columns.find(({ name }) => name === 'status')
    expect(status?.statistics?.samples.toSorted()).toEqual(['active', 'deleted', 'drained'])
    for (const read of narrowReads) expect(read.result?.rowsRead ?? 0).toBeLessThan(3 * CATALOG_LIMITS.scanRows)
  })

  it('hold for a table with many small parts', async () => {
    const signal = AbortSignal.timeout(25_000)
    const write = (sql: string) => engine.warehouse.write({ sql }, signal)
    await write('CREATE DATABASE parts')
    await write('CREATE TABLE parts.many (name String, at DateTime) ENGINE = MergeTree ORDER BY (name, at)')
    await write('SYSTEM STOP MERGES')
    for (let part = 0; part < 50; part += 1) await write(`INSERT INTO parts.many SELECT 'n', now() FROM numbers(8000)`)
    const recorder = recordReads(engine.warehouse)
    const catalog = openCatalog(recorder.warehouse, 'parts')
    await catalog.load(signal)
    await catalog.close()
    await write('SYSTEM START MERGES')
    const scan = recorder.reads.find(read => read.sql.includes('uniq('))
    expect(scan?.result?.rowsRead).toBeLessThan(3 * CATALOG_LIMITS.scanRows)
    expect(scan?.result?.rowsRead).toBeGreaterThan(0)
  })
})

describe('statistics of a small table', () => {
  it('are exact, with the values of low-cardinality columns', () => {
    expect(statistics('people', 'name')).toEqual({
      distinct: 3,
      nullShare: 0.25,
      min: null,
      max: null,
      samples: expect.arrayContaining(['n0', 'n1', 'n2']),
      rowsScanned: 100,
      exact: true,
    })
    expect(statistics('people', 'level').samples).toEqual(['low', "it's high"])
    expect(statistics('people', 'active').samples.toSorted()).toEqual(['false', 'true'])
  })

  it('keep numbers and times exact', () => {
    expect(statistics('people', 'big')).toMatchObject({
      min: '18446744073709551516',
      max: '18446744073709551615',
      rangeExact: true,
    })
    expect(statistics('people', 'score')).toMatchObject({ min: '0.5', max: '99.5' })
    expect(statistics('people', 'seen')).toMatchObject({ min: '2026-02-01 10:00:00.000', max: '2026-02-01 10:00:00.000' })
    expect(statistics('people', 'born')).toMatchObject({ distinct: 0, nullShare: 1, min: null, max: null })
    expect(statistics('people', 'latest').distinct).toBe(1)
  })

  it('show array elements and map keys', () => {
    expect(statistics('people', 'tags').samples.toSorted()).toEqual(['a', 'b'])
    expect(statistics('people', 'settings').samples.toSorted()).toEqual(['colour', 'size'])
    expect(statistics('people', 'homes.kind').samples).toEqual(['home'])
  })

  it('cut long values and mark the cut', () => {
    expect(statistics('people', 'long').samples).toEqual([`${'ü'.repeat(99)}…`])
  })

  it('show no values of personal data or of types without values', () => {
    expect(statistics('people', 'e_mail')).toMatchObject({ distinct: 1, samples: [] })
    for (const name of ['place', 'document', 'states', 'doubled', 'given'])
      expect(column('people', name).statistics).toBeUndefined()
    expect(statistics('people', 'key').samples).toEqual([])
  })

  it('never read a private column', () => {
    expect(column('people', 'secret')).toMatchObject({ isPrivate: true })
    expect(column('people', 'secret').statistics).toBeUndefined()
    expect(reads.filter(read => read.sql.includes('`secret`'))).toEqual([])
    expect(JSON.stringify(reads.map(read => read.result?.rows))).not.toContain('hush')
  })

  it('survive hostile names and values', () => {
    const table = schema.tables.find(({ name }) => name === 'we`ird \n na.me')
    expect(table?.columns[0]).toMatchObject({ name: 'c`ol\n\\ "x"', comment: 'one\ntwo', statistics: { samples: ["it's\n"] } })
    expect(table?.columns[1]?.statistics?.samples).toEqual(['v'])
  })
})

describe('the tables', () => {
  it('show their definition, and no statistics for views and empty tables', () => {
    const view = schema.tables.find(table => table.name === 'a_view')
    expect(view).toMatchObject({ engine: 'View', rows: null, viewDefinition: expect.stringContaining('GROUP BY status') })
    expect(view?.columns.map(({ name, type, statistics: none }) => [name, type, none])).toEqual([
      ['status', 'String', undefined],
      ['links', 'UInt64', undefined],
    ])
    expect(schema.tables.find(table => table.name === 'with_parameter')?.columns).toEqual([])
    expect(column('nothing', 'name').statistics).toBeUndefined()
    expect(schema.tables.find(table => table.name === 'by_month')).toMatchObject({
      sortingKey: 'status, ts',
      primaryKey: 'status, ts',
      partitionKey: 'toYYYYMM(ts)',
      rows: ROWS,
    })
  })

  it('leave out inner tables, and show how a column is computed', () => {
    expect(schema.tables.filter(table => table.name.startsWith('.inner'))).toEqual([])
    expect(schema.tables.map(table => table.name)).toContain('per_status')
    expect(column('people', 'doubled').computed).toEqual({ kind: 'ALIAS', expression: 'id * 2' })
    expect(column('people', 'tripled')).toMatchObject({ computed: { kind: 'MATERIALIZED' }, statistics: { distinct: 100 } })
  })
})
