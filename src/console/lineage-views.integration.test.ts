import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { openDemoPipelines } from '../../test/support/demo-pipelines.ts'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { writeForeignRun } from '../../test/support/foreign-run.ts'
import type { RunAccess } from '../access/run-access.ts'
import { placeGraph } from '../charts/graph/place-graph.ts'
import { EngineSqlGuard } from '../clickhouse/guard/engine-sql-guard.ts'
import { EngineQueryValidator } from '../clickhouse/validation/engine-query-validator.ts'
import { privateColumnTest } from '../warehouse/private-columns.ts'
import { type GraphNodeJson, LineageViews, type LineageViewsDeps, type RunGraphJson } from './lineage-views.ts'

jest.setTimeout(60_000)

const signal = new AbortController().signal
let engine: TestEngine
let deps: LineageViewsDeps
let first: string
let second: string
let replay: string

const views = (access?: RunAccess) => new LineageViews(deps, access)
const reader = (...tables: string[]): RunAccess => ({
  grants: [{ tables, except: [] }],
  clickhouseRoles: [],
})
const write = (sql: string) => engine.warehouse.write({ sql, database: 'default' }, signal)
const nodeOf = (graph: RunGraphJson, label: string) => graph.nodes.find(node => node.label === label) as GraphNodeJson

beforeAll(async () => {
  engine = await startTestEngine()
  const { warehouse } = engine
  for (const sql of [
    'CREATE DATABASE security',
    'CREATE TABLE security.cve_feed (cve_id String, revision UInt8, channel String, vendor_code String, product String, score Float64, state String, published Date) ENGINE = MergeTree ORDER BY cve_id',
    "INSERT INTO security.cve_feed VALUES ('CVE-1', 1, 'vendor', 'AP-001', 'httpd', 5.1, 'published', '2026-02-01'), ('CVE-2', 1, 'vendor', 'MS-001', 'Windows', 9.8, 'published', '2026-02-02')",
    'CREATE TABLE security.vendor_codes (vendor_code String, vendor String) ENGINE = MergeTree ORDER BY vendor_code',
    "INSERT INTO security.vendor_codes VALUES ('AP-001', 'Apache'), ('GO-001', 'Google')",
  ])
    await write(sql)
  const demo = await openDemoPipelines(warehouse, ['cve_enrichment'], signal)
  deps = {
    source: demo.source,
    listRuns: demo.source.listRuns,
    guard: new EngineSqlGuard({ warehouse }),
    warehouse,
    validatorOn: own => new EngineQueryValidator({ warehouse: own, maxRows: 1_000 }),
    isPrivate: privateColumnTest([]),
    budget: { maxRows: 1_000_000, maxBytes: 0 },
    place: async graph => placeGraph(graph),
  }
  first = await demo.run('cve_enrichment')
  await write("INSERT INTO security.cve_feed VALUES ('CVE-3', 1, 'vendor', 'GO-001', 'Chrome', 7.5, 'published', '2026-02-03')")
  second = await demo.run('cve_enrichment')
  await write("INSERT INTO security.cve_feed VALUES ('CVE-4', 1, 'vendor', 'GO-001', 'Pixel', 6.5, 'published', '2026-02-04')")
  replay = await demo.replay(second)
})
afterAll(() => engine.close())

describe('runs', () => {
  it('lists the latest run of each job, and the runs of a job with its replays', async () => {
    expect(await views().runs(undefined, signal)).toMatchObject([{ id: second, job: 'cve_enrichment', status: 'COMPLETED' }])
    expect(await views().runs('cve_enrichment', signal)).toMatchObject([
      { id: replay, replay_of: second },
      { id: second, replay_of: null },
      { id: first, replay_of: null },
    ])
  })

  it('leaves out what the viewer may not open, and refuses to open it', async () => {
    const stranger = views(reader('shop.*'))
    expect(await stranger.runs(undefined, signal)).toEqual([])
    await expect(stranger.graph(second, signal)).rejects.toMatchObject({ kind: 'refused' })
    await expect(stranger.node(second, 't_final', {}, signal)).rejects.toMatchObject({ kind: 'refused' })
    await expect(stranger.why(second, 't_final', { column: 'vendor', key: 'CVE-2' }, signal)).rejects.toMatchObject({
      kind: 'refused',
    })
    await expect(stranger.holders(second, 'CVE-2', signal)).rejects.toMatchObject({ kind: 'refused' })
  })
})

describe('the graph of a run', () => {
  it('has the rows of the run before and of the replay, and says what drifted', async () => {
    const graph = await views().graph(second, signal)
    expect(graph.compared.map(({ role, run }) => [role, run.id])).toEqual([
      ['before', first],
      ['replay', replay],
    ])
    expect(nodeOf(graph, 'cves')).toMatchObject({
      rows: 3,
      rows_compared: [2, 4],
      drift: ['The replay has 4 rows, 1 more than this run.'],
    })
    expect(nodeOf(graph, 'vendors')).toMatchObject({ rows: 2, rows_compared: [2, 2], drift: [] })
    expect(nodeOf(graph, 'latest_versions').state).toBe('gone')
    const { compared } = await views().graph(replay, signal)
    expect(compared.map(({ role, run }) => [role, run.id])).toEqual([['original', second]])
  })

  it('says how many rows a table of others has gained since', async () => {
    await writeForeignRun(engine, signal)
    const runs = await views().runs(undefined, signal)
    const foreign = runs.find(({ by_clew }) => !by_clew)
    expect(foreign).toMatchObject({ status: 'COMPLETED' })
    expect(await views().runs(foreign?.job, signal)).toMatchObject([{ id: foreign?.id }])
    const stranger = views(reader('shop.*'))
    const refusal = (name: string) =>
      stranger.graph(name, signal).catch(({ kind, message }) => `${kind} ${message.replace(name, '')}`)
    // The name of a hidden table is answered as one that does not exist.
    for (const name of ['trips per bike', 'trips_per_bike', 'bikes.trips_per_bike'])
      expect(await refusal(name)).toBe(await refusal('staging_per_day'))
    expect((await views().graph('trips_per_bike', signal)).run.id).toBe(foreign?.id)
  })

  it('places each table, and joins them by lines', async () => {
    const { nodes, lines, width, height } = await views().graph(second, signal)
    for (const { x, y, width: w, height: h } of nodes) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(x + w).toBeLessThanOrEqual(width)
      expect(y + h).toBeLessThanOrEqual(height)
    }
    expect(lines).toHaveLength(5)
    for (const { path } of lines) expect(path).toMatch(/^M\d+ \d+C/)
  })
})

describe('a table of a run', () => {
  const target = async () => nodeOf(await views().graph(second, signal), 't_final').table

  it('shows why a row is NULL: its rows, the column, and the way back', async () => {
    const table = await target()
    const node = await views().node(second, table, { null_in: 'vendor' }, signal)
    expect(node.rows?.rows).toEqual([['CVE-2', null, 'Windows', 9.8, 'critical', '2026-02-02']])
    const vendor = node.columns.find(({ name }) => name === 'vendor')
    expect(vendor).toMatchObject({ nulls: 1, from: 'vendors.vendor' })
    expect(await views().why(second, table, { column: 'vendor', key: 'CVE-2' }, signal)).toMatchObject({
      sentences: [
        'Its values come from vendors.vendor, looked up by vendors.vendor_code = cves.vendor_code.',
        'cves has the vendor_code MS-001 for CVE-2.',
        'vendors has no row with the vendor_code MS-001, so vendor is NULL.',
      ],
      value: 'MS-001',
    })
    const inputs = await views().graph(second, signal)
    const [cves, vendors] = ['cves', 'vendors'].map(label => nodeOf(inputs, label).table)
    expect(await views().holders(second, 'CVE-2', signal)).toEqual({ [table]: 1, [cves ?? '']: 1, [vendors ?? '']: 0 })
    expect(await views().holders(second, 'MS-001', signal)).toEqual({ [table]: 0, [cves ?? '']: 1, [vendors ?? '']: 0 })
  })

  it('shows no rows of a table that is gone, and says where they are', async () => {
    const { table } = nodeOf(await views().graph(second, signal), 'latest_versions')
    const node = await views().node(second, table, {}, signal)
    expect(node).toMatchObject({
      rows: null,
      made_by: { template: expect.stringContaining('LIMIT 1 BY cve_id') },
      notes: ['Its rows were dropped at the end of the run. A replay keeps them.'],
    })
    expect(node.columns.map(({ name }) => name)).toContain('vendor_code')
    const kept = nodeOf(await views().graph(replay, signal), 'latest_versions')
    expect((await views().node(replay, kept.table, {}, signal)).rows?.rows).toHaveLength(4)
  })

  it('takes any value as a value, not as SQL', async () => {
    const table = await target()
    for (const value of ["' OR 1 = 1 --", '{{ cves }}', '\\', '東 😀']) {
      expect((await views().node(second, table, { holds: value }, signal)).rows?.rows).toEqual([])
    }
    expect((await views().node(second, table, { holds: 'Windows' }, signal)).rows?.rows).toHaveLength(1)
    expect((await views().node(second, table, { null_in: '`) OR (1' }, signal)).rows).toBeNull()
  })

  it('hides SQL and origins from a viewer who may not read the sources', async () => {
    const viewer = views(reader('pipelines.*'))
    const graph = await viewer.graph(second, signal)
    const input = nodeOf(graph, 'cves')
    expect(graph.run.hidden).toBe(true)
    const node = await viewer.node(second, input.table, {}, signal)
    expect(node).toMatchObject({ made_by: null, notes: [expect.stringContaining('you may not see')] })
    expect(JSON.stringify([graph, node])).not.toContain('security')
  })
})
