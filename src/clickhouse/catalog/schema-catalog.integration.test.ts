import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { recordReads } from '../../../test/support/recording-warehouse.ts'
import { createLogger } from '../../base/logger.ts'
import { asRun, personAtHand } from '../../base/watched-work.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import type { Observation } from '../../telemetry/observation.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import type { Schema } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { SchemaCatalog, type SchemaCatalogDeps, type SchemaCatalogOptions } from './schema-catalog.ts'

const NAMES_AND_TYPES = 'FROM system.columns'
const TABLE_LIST = 'AS modified'
const STATISTICS = 'uniq('

let engine: TestEngine
let signal: AbortSignal
let catalogs: SchemaCatalog[] = []

beforeAll(async () => {
  engine = await startTestEngine()
})
afterAll(() => engine.close())
beforeEach(async () => {
  signal = AbortSignal.timeout(20_000)
  await write('DROP DATABASE IF EXISTS shop', 'CREATE DATABASE shop')
  await write('CREATE TABLE shop.orders (id UInt64, status LowCardinality(String)) ENGINE = MergeTree ORDER BY id')
  await write("INSERT INTO shop.orders SELECT number, ['paid', 'open'][number % 2 + 1] FROM numbers(1000)")
  await write('CREATE TABLE shop.customers (id UInt64, city String) ENGINE = MergeTree ORDER BY id')
  await write("INSERT INTO shop.customers SELECT number, 'Bonn' FROM numbers(10)")
})
afterEach(async () => {
  await engine.inject()
  await Promise.all(catalogs.map(catalog => catalog.close()))
  catalogs = []
})

async function write(...statements: readonly string[]): Promise<void> {
  for (const sql of statements) await engine.warehouse.write({ sql }, signal)
}

function openCatalog(options: Partial<SchemaCatalogOptions & SchemaCatalogDeps> = {}) {
  const { store = createMemoryStateStore({ now: Date.now }), now = Date.now, observe = () => undefined, ...others } = options
  const { warehouse: inner = engine.warehouse, ...rest } = others
  const { warehouse, reads } = recordReads(inner)
  const catalog = new SchemaCatalog(
    { warehouse, store, logger: createLogger({ level: 'silent' }), now, observe },
    { databases: ['shop'], firstMomentMs: 10_000, ...rest },
  )
  catalogs.push(catalog)
  const count = (part: string) => reads.filter(read => read.sql.includes(part)).length
  return { catalog, store, reads, count }
}

/** The parts of a warehouse that a catalog does not use. */
const REST_OF_WAREHOUSE = {
  description: 'a warehouse whose reads are watched',
  readOwn: () => Promise.reject(new Error('a catalog reads as the reader')),
  write: () => Promise.reject(new Error('a catalog writes nothing')),
  close: async () => {},
} satisfies Omit<Warehouse, 'read'>

function columnNames(schema: Schema, table: string): readonly string[] | undefined {
  return schema.tables.find(({ name }) => name === table)?.columns.map(({ name }) => name)
}

function hasStatistics(schema: Schema, table = 'orders'): boolean {
  const columns = schema.tables.find(({ name }) => name === table)?.columns ?? []
  return columns.length > 0 && columns.every(column => column.statistics !== undefined)
}

async function loadUntil(catalog: SchemaCatalog, isReached: (schema: Schema) => boolean): Promise<Schema> {
  for (;;) {
    const schema = await catalog.load(signal)
    if (isReached(schema)) return schema
  }
}

describe('fetching', () => {
  it('leaves out working tables of running pipelines, and nothing else with that form', async () => {
    const table = (name: string, comment: string) =>
      `CREATE TABLE shop.${name} (id UInt8) ENGINE = MergeTree ORDER BY id COMMENT '${comment}'`
    const mark = '{"clew_job":"job_1","job_name":"daily","part":"operation:all"}'
    await write(table('t_0123456789abcdef', mark), table('t_fedcba9876543210', 'Somebody else’s'), table('t_final', mark))
    const { catalog } = openCatalog()
    const { tables } = await catalog.load(signal)
    expect(tables.map(({ name }) => name).sort()).toEqual(['customers', 'orders', 't_fedcba9876543210', 't_final'])
    expect(tables.find(({ name }) => name === 't_final')?.comment).toBe('Filled by the pipeline daily.')
  })

  it('fetches once for concurrent misses, with statistics', async () => {
    const { catalog, count } = openCatalog()
    const schemas = await Promise.all(Array.from({ length: 20 }, () => catalog.load(signal)))
    expect(new Set(schemas).size).toBe(1)
    expect(hasStatistics(await catalog.load(signal))).toBe(true)
    expect(schemas[0]).toMatchObject({ serverVersion: expect.stringMatching(/^\d+\./), timeZone: 'UTC' })
    expect(count(STATISTICS)).toBe(2)
  })

  it('reads in the name of nobody, so that nobody waits for another person’s turn', async () => {
    const people: string[] = []
    const read: Warehouse['read'] = (query, own) => {
      people.push(personAtHand())
      return engine.warehouse.read(query, own)
    }
    const { catalog } = openCatalog({ warehouse: { ...REST_OF_WAREHOUSE, read } })
    await asRun({ id: 'run', person: 'alice' }, async () => {
      const { tables } = await catalog.load(signal)
      await catalog.refresh(signal)
      await catalog.withStatistics(tables, signal)
      expect(personAtHand()).toBe('alice')
    })
    expect(people.length).toBeGreaterThan(3)
    expect(new Set(people)).toEqual(new Set(['']))
  })

  it('shows a new, an altered and a dropped table at once', async () => {
    const { catalog } = openCatalog()
    await catalog.load(signal)
    await write('CREATE TABLE shop.items (sku String) ENGINE = MergeTree ORDER BY sku')
    expect(columnNames(await catalog.load(signal), 'items')).toEqual(['sku'])
    await write('ALTER TABLE shop.items ADD COLUMN price Decimal(9, 2)')
    expect(columnNames(await catalog.load(signal), 'items')).toEqual(['sku', 'price'])
    await write("ALTER TABLE shop.items RENAME COLUMN price TO cost, COMMENT COLUMN sku 'article'")
    const altered = await catalog.load(signal)
    expect(columnNames(altered, 'items')).toEqual(['sku', 'cost'])
    expect(altered.tables.find(({ name }) => name === 'items')?.columns[0]?.comment).toBe('article')
    await write('RENAME TABLE shop.items TO shop.goods')
    const renamed = await catalog.load(signal)
    expect(renamed.tables.map(({ name }) => name)).toEqual(['customers', 'goods', 'orders'])
    await write('DROP TABLE shop.goods SYNC')
    expect((await catalog.load(signal)).tables.map(({ name }) => name)).toEqual(['customers', 'orders'])
  })

  it('notices a change in a database without modification times', async () => {
    await write('DROP DATABASE IF EXISTS brief', 'CREATE DATABASE brief ENGINE = Memory')
    await write('CREATE TABLE brief.notes (a Int8) ENGINE = Memory')
    const { catalog } = openCatalog({ databases: ['brief'] })
    expect(columnNames(await catalog.load(signal), 'notes')).toEqual(['a'])
    await write('DROP TABLE brief.notes', 'CREATE TABLE brief.notes (b Int8) ENGINE = Memory')
    expect(columnNames(await catalog.load(signal), 'notes')).toEqual(['b'])
    await write('DROP DATABASE brief')
  })

  it('reports for each look-up whether it had to fetch', async () => {
    const observed: Observation[] = []
    const { catalog } = openCatalog({ observe: each => void observed.push(each) })
    const lookUp = (isHit: boolean) => ({ kind: 'cache', cache: 'schema', isHit })
    await catalog.load(signal)
    await write('CREATE TABLE shop.items (sku String) ENGINE = MergeTree ORDER BY sku')
    await catalog.load(signal)
    expect(observed).toEqual([lookUp(false), lookUp(false)])
    await loadUntil(catalog, () => isDeepStrictEqual(observed.at(-1), lookUp(true)))
  })

  it('shows current row counts', async () => {
    const { catalog } = openCatalog()
    const before = await catalog.load(signal)
    await write("INSERT INTO shop.orders VALUES (1, 'paid')")
    const rows = (schema: Schema) => schema.tables.find(({ name }) => name === 'orders')?.rows
    expect([rows(before), rows(await catalog.load(signal))]).toEqual([1000, 1001])
  })

  it('never shows system tables, whatever the configuration', async () => {
    const { catalog } = openCatalog({ databases: ['system', 'INFORMATION_SCHEMA'] })
    expect((await catalog.load(signal)).tables).toEqual([])
  })
})

describe('refreshing', () => {
  it('fetches everything again, once for concurrent calls, and keeps statistics', async () => {
    const { catalog, count } = openCatalog()
    await catalog.load(signal)
    const [fetches, gathered] = [count(NAMES_AND_TYPES), count(STATISTICS)]
    const schemas = await Promise.all([catalog.refresh(signal), catalog.refresh(signal), catalog.refresh(signal)])
    expect(count(NAMES_AND_TYPES)).toBe(fetches + 1)
    expect(count(STATISTICS)).toBe(gathered)
    for (const schema of schemas) expect(hasStatistics(schema)).toBe(true)
  })

  it('notices a column that was renamed meanwhile', async () => {
    const { catalog } = openCatalog()
    await catalog.load(signal)
    await write('ALTER TABLE shop.customers RENAME COLUMN city TO town')
    expect(columnNames(await catalog.refresh(signal), 'customers')).toEqual(['id', 'town'])
  })
})

describe('failures', () => {
  it('repeats a fetch that times out', async () => {
    const { catalog, count } = openCatalog({ fetchTimeoutMs: 1_000 })
    await engine.inject({ kind: 'delay', matching: TABLE_LIST, milliseconds: 5_000, times: 1 })
    expect((await catalog.load(signal)).tables).toHaveLength(2)
    expect(count(TABLE_LIST)).toBe(2)
  })

  it('throws the typed error after the second timeout, and recovers', async () => {
    const { catalog, count } = openCatalog({ fetchTimeoutMs: 1_000 })
    await engine.inject({ kind: 'delay', matching: TABLE_LIST, milliseconds: 5_000, times: 2 })
    await expect(catalog.load(signal)).rejects.toMatchObject({ name: 'WarehouseError', kind: 'timeout' })
    expect(count(TABLE_LIST)).toBe(2)
    expect((await catalog.load(signal)).tables).toHaveLength(2)
  })

  it('continues a fetch for other callers when one gives up', async () => {
    const { catalog, count } = openCatalog()
    await engine.inject({ kind: 'delay', matching: TABLE_LIST, milliseconds: 300, times: 1 })
    const impatient = new AbortController()
    const [first, second] = [catalog.load(impatient.signal), catalog.load(signal)]
    impatient.abort()
    await expect(first).rejects.toMatchObject({ kind: 'cancelled' })
    expect((await second).tables).toHaveLength(2)
    expect(count(TABLE_LIST)).toBe(1)
  })

  it('shows names and types if statistics fail, and does not retry in each turn', async () => {
    const { catalog, count } = openCatalog()
    await engine.inject({ kind: 'exception', matching: STATISTICS, code: 241, message: 'Memory limit exceeded', times: 2 })
    const schema = await catalog.load(signal)
    expect(columnNames(schema, 'orders')).toEqual(['id', 'status'])
    expect(hasStatistics(schema)).toBe(false)
    await catalog.load(signal)
    expect(count(STATISTICS)).toBe(2)
  })

  it('does not wait for slow statistics, which appear later', async () => {
    const { catalog } = openCatalog({ firstMomentMs: 100 })
    await engine.inject({ kind: 'delay', matching: STATISTICS, milliseconds: 1_500, times: 2 })
    expect(hasStatistics(await catalog.load(signal))).toBe(false)
    expect(hasStatistics(await loadUntil(catalog, hasStatistics))).toBe(true)
  })

  it('abandons a slow table after its time', async () => {
    const { catalog, reads } = openCatalog({ firstMomentMs: 15_000 })
    await engine.inject({ kind: 'delay', matching: '`orders`', milliseconds: 20_000, times: 1 })
    const start = performance.now()
    const schema = await catalog.load(signal)
    expect(performance.now() - start).toBeLessThan(19_500)
    expect([hasStatistics(schema, 'orders'), hasStatistics(schema, 'customers')]).toEqual([false, true])
    expect(reads.filter(read => read.result === undefined)).toHaveLength(1)
  })

  it('stops background work on close', async () => {
    const { catalog, reads } = openCatalog({ firstMomentMs: 50 })
    await engine.inject({ kind: 'delay', matching: STATISTICS, milliseconds: 20_000, times: 2 })
    await catalog.load(signal)
    const start = performance.now()
    await catalog.close()
    expect(performance.now() - start).toBeLessThan(19_500)
    expect(reads.filter(read => read.sql.includes(STATISTICS)).map(read => read.result)).toEqual([undefined, undefined])
  })
})

describe('ageing', () => {
  it('refreshes old statistics, and serves them meanwhile', async () => {
    let now = Date.now()
    const { catalog, count } = openCatalog({ now: () => now })
    await catalog.load(signal)
    expect(count(STATISTICS)).toBe(2)
    await write("INSERT INTO shop.orders SELECT number, 'lost' FROM numbers(100)")
    now += (CATALOG_LIMITS.statisticsSeconds + 1) * 1_000
    expect(hasStatistics(await catalog.load(signal))).toBe(true)
    const hasLost = (schema: Schema) => JSON.stringify(schema).includes('lost')
    expect(hasLost(await loadUntil(catalog, hasLost))).toBe(true)
    expect(count(STATISTICS)).toBe(4)
  })

  it('refreshes them sooner for a table that has grown', async () => {
    let now = Date.now()
    const { catalog, count } = openCatalog({ now: () => now })
    await catalog.load(signal)
    await write("INSERT INTO shop.orders SELECT number, 'lost' FROM numbers(5000)")
    await catalog.load(signal)
    expect(count(STATISTICS)).toBe(2)
    now += (CATALOG_LIMITS.growthPauseSeconds + 1) * 1_000
    await loadUntil(catalog, schema => JSON.stringify(schema).includes('lost'))
    expect(count(STATISTICS)).toBe(3)
  })
})
