import { describe, expect, it } from '@jest/globals'
import { engineNote, mergeCall } from '../../warehouse/catalog/engine-note.ts'
import { readEngineFacts } from './engine-facts.ts'

const none = { engineColumns: [], ttl: '', key: '' }
const read = (engine: string, full: string, definition = '') =>
  readEngineFacts({ database: 'mart', name: 't', engine }, full, definition)

describe('readEngineFacts', () => {
  it("finds the engine's columns, whatever stands before them", () => {
    const full = "ReplicatedReplacingMergeTree('/clickhouse/{shard}/t', '{replica}', updated_at, is_deleted) ORDER BY id"
    expect(read('ReplicatedReplacingMergeTree', full)).toEqual({ ...none, engineColumns: ['updated_at', 'is_deleted'] })
    expect(read('SummingMergeTree', 'SummingMergeTree((pieces, `v x`)) ORDER BY k').engineColumns).toEqual(['pieces', 'v x'])
    expect(read('MergeTree', 'MergeTree ORDER BY (a, b) SETTINGS index_granularity = 8192')).toEqual(none)
  })

  it('keeps rules that delete rows, not those that move them', () => {
    const rules =
      "TTL a + toIntervalDay(30) WHERE b IN (1, 2), a + toIntervalYear(1) RECOMPRESS CODEC(ZSTD(3)), a + toIntervalDay(7) TO VOLUME 'cold'"
    const full = `MergeTree PARTITION BY toYYYYMM(a) ORDER BY b ${rules} SETTINGS x = 1`
    expect(read('MergeTree', full).ttl).toBe('a + toIntervalDay(30) WHERE b IN (1, 2)')
  })

  it('finds the table behind another, and the key of a dictionary', () => {
    expect(read('Distributed', "Distributed('main', 'raw', 'hits', rand())").linked).toEqual({ database: 'raw', name: 'hits' })
    expect(read('Buffer', "Buffer('mart', 'stores', 1, 10)").linked).toEqual({ database: 'mart', name: 'stores' })
    const view = 'CREATE MATERIALIZED VIEW mart.v REFRESH EVERY 1 HOUR TO mart.`by hour` (`a` UInt8) AS SELECT a FROM mart.x'
    expect(read('MaterializedView', '', view).linked).toEqual({ database: 'mart', name: 'by hour' })
    const inner = 'CREATE MATERIALIZED VIEW mart.v (`a` UInt8) ENGINE = MergeTree ORDER BY a AS SELECT a FROM mart.x'
    expect(read('MaterializedView', '', inner).linked).toBeUndefined()
    const dictionary = (source: string) =>
      `CREATE DICTIONARY mart.t (\`id\` UInt64, \`name\` String) PRIMARY KEY id SOURCE(${source}) LIFETIME(MIN 0 MAX 0) LAYOUT(FLAT())`
    expect(read('Dictionary', '', dictionary("CLICKHOUSE(TABLE 'names' USER 'u' PASSWORD 'hush')"))).toEqual({
      ...none,
      key: 'id',
      linked: { database: 'mart', name: 'names' },
    })
    expect(read('Dictionary', '', dictionary("CLICKHOUSE(HOST 'far' TABLE 'names' DB 'x')")).linked).toBeUndefined()
    expect(read('Dictionary', '', dictionary("MYSQL(TABLE 'names' DB 'x')")).linked).toBeUndefined()
  })
})

describe('engineNote', () => {
  const note = (engine: string, more: object = {}) => engineNote({ engine, sortingKey: 'id', primaryKey: 'id', ...more })

  it('names the important columns', () => {
    expect(note('ReplacingMergeTree', { engineColumns: ['updated_at', 'is_deleted'] })).toBe(
      'may hold several versions of a row for one (id): read with FINAL, which leaves out those marked by is_deleted, or take the latest with argMax(column, updated_at)',
    )
    expect(note('SharedCollapsingMergeTree', { engineColumns: ['sign'] })).toContain('sum(sign) as the count and sum(x * sign)')
    expect(note('SummingMergeTree', { engineColumns: ['pieces'] })).toContain('the sums of pieces')
    expect(note('Distributed', { linked: { database: 'raw', name: 'hits' } })).toBe(
      'shows the rows of raw.hits: do not add both up',
    )
    expect(note('Merge')).toBe('shows the rows of other tables: do not add both up')
    expect(note('MaterializedView')).toBeUndefined()
    expect(note('MergeTree')).toBeUndefined()
  })

  it('explains how to read a state', () => {
    expect(mergeCall('AggregateFunction(quantileExact(0.9), UInt32)', 'waiting')).toBe('quantileExactMerge(0.9)(waiting)')
    expect(mergeCall('AggregateFunction(1, sumIf, UInt64, UInt8)', 'paid')).toBe('sumIfMerge(paid)')
    expect(mergeCall('SimpleAggregateFunction(sum, UInt64)', 'x')).toBeUndefined()
  })
})
