import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { z } from 'zod'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { thinned } from '../../../test/support/thin-demo-world.ts'
import { sampleOf } from '../../../test/support/whole.ts'
import { ConfigurationError } from '../../base/errors.ts'
import type { Cell, Warehouse } from '../../warehouse/warehouse.ts'
import { type DemoWorld, loadDemoWorld } from './world.ts'

jest.setTimeout(120_000)

const signal = new AbortController().signal
const ANCHOR = new Date('2026-03-01T12:00:00Z')

/** The row count and checksum of each table, for seed 1 and the anchor time above. They must be the same on every machine. */
const CHECKSUMS: Readonly<Record<string, readonly [rows: number, checksum: string]>> = {
  dz_contributors: [9, '13943274106677499167'],
  dz_devices: [42, '1169313238462937092'],
  dz_link_history: [159, '7548434541425544911'],
  dz_links: [64, '10749358032580222759'],
  dz_metros: [25, '4423356984834731641'],
  dz_users: [457, '13466347298672885084'],
  dz_users_history: [1_039, '6609742719170897384'],
  fact_interface_counters: [237_888, '10975742992865812713'],
  fact_internet_latency: [216_000, '5885670508796157874'],
  fact_link_telemetry: [1_019_520, '15132563164430150872'],
  fact_multicast_traffic: [45_334, '16875754864194306010'],
  gossip_nodes: [1_335, '18267955351318557724'],
  gossip_nodes_history: [2_262, '4394661098475058532'],
  multicast_groups: [5, '4070889981773483931'],
  multicast_subscriptions: [79, '15629670035567520808'],
  stake_history: [27_900, '9453375503555307282'],
  vote_accounts: [900, '5750733107500752037'],
  vote_lag: [64_800, '700210313564879366'],
}

/** Each query counts rows that contradict other rows, and must return 0. Example: a link that ends on an unknown device. */
const CONTRADICTIONS: Readonly<Record<string, string>> = {
  'links end on devices': `SELECT count() FROM dz_links WHERE side_a_device NOT IN (SELECT code FROM dz_devices) OR side_z_device NOT IN (SELECT code FROM dz_devices)`,
  'devices stand in metros': `SELECT count() FROM dz_devices WHERE metro_code NOT IN (SELECT code FROM dz_metros)`,
  'links and devices have owners': `SELECT count() FROM (SELECT contributor_code FROM dz_devices UNION ALL SELECT contributor_code FROM dz_links) AS owned WHERE contributor_code NOT IN (SELECT code FROM dz_contributors)`,
  'links in service are between devices in service': `SELECT count() FROM dz_links INNER JOIN dz_devices AS d ON d.code IN (side_a_device, side_z_device) WHERE dz_links.status = 'activated' AND d.status != 'activated'`,
  'users end on devices in service': `SELECT count() FROM dz_users WHERE device_code NOT IN (SELECT code FROM dz_devices WHERE status = 'activated')`,
  'accounts are unique': `SELECT count() - uniqExact(pubkey) FROM dz_users`,
  'a link’s status is its last change': `SELECT count() FROM dz_links INNER JOIN (SELECT link_code, argMax(new_status, changed_at) AS last FROM dz_link_history GROUP BY link_code) AS h ON h.link_code = code WHERE status != last`,
  'every link has a history': `SELECT count() FROM dz_links WHERE code NOT IN (SELECT link_code FROM dz_link_history)`,
  'a user’s status is its last change': `SELECT count() FROM dz_users INNER JOIN (SELECT user_pubkey, max((changed_at, new_status)) AS last FROM dz_users_history GROUP BY user_pubkey) AS h ON h.user_pubkey = pubkey WHERE (updated_at, status) != last`,
  'every user has a history': `SELECT count() FROM dz_users WHERE pubkey NOT IN (SELECT user_pubkey FROM dz_users_history)`,
  'changes follow from each other': `SELECT count() FROM (SELECT old_status, lagInFrame(toNullable(new_status)) OVER (PARTITION BY user_pubkey ORDER BY changed_at) AS before FROM dz_users_history) AS changes WHERE NOT (old_status <=> before)`,
  'addresses belong to one node': `SELECT count() - uniqExact(gossip_ip) FROM gossip_nodes`,
  'a node’s version is its last': `SELECT count() FROM gossip_nodes INNER JOIN (SELECT pubkey, argMax(version, changed_at) AS last FROM gossip_nodes_history GROUP BY pubkey) AS h USING (pubkey) WHERE version != last`,
  'stake now is the last snapshot': `SELECT count() FROM vote_accounts INNER JOIN (SELECT vote_pubkey, argMax(activated_stake_lamports, snapshot_at) AS last FROM stake_history GROUP BY vote_pubkey) AS h USING (vote_pubkey) WHERE activated_stake_lamports != last`,
  'names are unique': `SELECT count(validator_name) - uniqExact(validator_name) FROM vote_accounts`,
  'subscribers have multicast accounts': `SELECT count() FROM multicast_subscriptions WHERE user_pubkey NOT IN (SELECT pubkey FROM dz_users WHERE user_type = 'multicast')`,
  'traffic flows in subscriptions': `SELECT count() FROM fact_multicast_traffic WHERE (group_code, user_pubkey) NOT IN (SELECT group_code, user_pubkey FROM multicast_subscriptions)`,
  'both ends of a link count the same': `SELECT count() FROM (SELECT link_code, measured_at, sumIf(out_bytes, link_side = 'a') AS a, sumIf(in_bytes, link_side = 'z') AS z FROM fact_interface_counters GROUP BY link_code, measured_at) AS ends WHERE a != z`,
  'no direction is over its bandwidth': `SELECT count() FROM link_utilisation WHERE utilisation_percent > 100`,
  'loss is what was lost': `SELECT count() FROM fact_link_telemetry WHERE loss_percent != 100 * packets_lost / packets_sent OR (rtt_us IS NULL) != (packets_lost = packets_sent)`,
  'nothing is from the future': `SELECT count() FROM fact_link_telemetry WHERE measured_at > toDateTime('2026-03-01 12:00:00', 'UTC')`,
}

const caseSchema = z.object({
  id: z.string(),
  question: z.string(),
  gold_sql: z.array(z.string()).min(1).optional(),
  ordered: z.boolean().optional(),
  answer: z.array(z.array(z.json())).optional(),
  expect: z
    .object({
      intent: z.string(),
      mentions: z.array(z.union([z.string(), z.array(z.string())])),
      never_mentions: z.array(z.string()),
    })
    .optional(),
  tags: z.array(z.string()),
})
type Case = z.infer<typeof caseSchema>

let engine: TestEngine
let now: DemoWorld
let older: DemoWorld
let otherSeed: DemoWorld
beforeAll(async () => {
  engine = await startTestEngine()
  const { warehouse } = engine
  const before = (minutes: number) => new Date(Math.floor(Date.now() / 1000) * 1000 - minutes * 60_000)
  now = await loadDemoWorld({ warehouse, anchor: before(0), database: 'network' }, signal)
  older = await loadDemoWorld({ warehouse, anchor: before(100), database: 'older' }, signal)
  otherSeed = await loadDemoWorld({ warehouse, seed: 2, anchor: before(0), database: 'another' }, signal)
})
afterAll(async () => {
  await engine.close()
})

async function ask(database: string, sql: string): Promise<readonly (readonly Cell[])[]> {
  return (await engine.warehouse.read({ sql, database }, signal)).rows
}

async function checksums(database: string): Promise<Record<string, [number, string]>> {
  const tables = await ask('system', `SELECT name FROM system.tables WHERE database = '${database}' AND engine != 'View'`)
  const sums: Record<string, [number, string]> = {}
  for (const [name] of tables) {
    const [row] = await ask(database, `SELECT toUInt32(count()), toString(sum(cityHash64(formatRow('TSV', *)))) FROM ${name}`)
    sums[String(name)] = z.tuple([z.number(), z.string()]).parse(row)
  }
  return sums
}

function readCases(file: string): Case[] {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .map(line => caseSchema.parse(JSON.parse(line)))
}

/** Runs the expected SQL of a test case. In the result, each time is replaced with the number of hours before the anchor time. */
async function answerOf(world: DemoWorld, sql: string): Promise<Cell[][]> {
  const rows = await ask(world.database, sql)
  return rows.map(row => row.map(cell => (isTime(cell) ? hoursBefore(world.anchor, cell) : cell)))
}

function isTime(cell: Cell): cell is string {
  return typeof cell === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(cell)
}

function hoursBefore(anchor: Date, time: string): string {
  return `${((anchor.getTime() - Date.parse(`${time.replace(' ', 'T')}Z`)) / 3_600_000).toFixed(2)} hours before`
}

describe('the generator', () => {
  it('makes the same rows on every run and machine', async () => {
    await loadDemoWorld({ warehouse: engine.warehouse, seed: 1, anchor: ANCHOR, database: 'first' }, signal)
    expect(await checksums('first')).toEqual(CHECKSUMS)
  })

  it('makes other figures from another seed, with the same inventory', async () => {
    await loadDemoWorld({ warehouse: engine.warehouse, seed: 2, anchor: ANCHOR, database: 'other' }, signal)
    const same = Object.entries(await checksums('other')).filter(([name, [, sum]]) => CHECKSUMS[name]?.[1] === sum)
    expect(same.map(([name]) => name).sort()).toEqual(['dz_contributors', 'dz_metros', 'multicast_groups'])
  })

  it.each(['first', 'other'])('is consistent (%s)', async database => {
    for (const [claim, sql] of Object.entries(CONTRADICTIONS)) {
      expect([claim, Number((await ask(database, sql))[0]?.[0])]).toEqual([claim, 0])
    }
  })
})

describe('the planted stories', () => {
  const cases = [...readCases('evals/network/cases.jsonl'), ...readCases('demo/questions.jsonl')]

  it.each(cases.filter(({ answer }) => answer !== undefined))(
    '$id has its one answer, now and 100 minutes later',
    async ({ gold_sql: [sql = ''] = [], answer }) => {
      expect(await answerOf(now, sql)).toEqual(answer)
      expect(await answerOf(older, sql)).toEqual(answer)
    },
  )

  it('match every gold query', async () => {
    const queries = cases.flatMap(({ id, gold_sql = [] }) => gold_sql.map(sql => ({ id, sql })))
    for (const { id, sql } of sampleOf(queries, 8)) expect([id, (await ask('network', sql)).length > 0]).toEqual([id, true])
  })

  it('keep their names and change their figures under another seed', async () => {
    const answer = async (world: DemoWorld, id: string) =>
      await answerOf(world, cases.find(each => each.id === id)?.gold_sql?.[0] ?? '')
    const losses = await answer(otherSeed, 'links-with-loss')
    expect(losses.map(([link, direction]) => `${link} ${direction}`)).toEqual([
      'tyo-dz02:sin-dz01 a_to_z',
      'dal-dz01:mia-dz01 a_to_z',
      'dal-dz01:mia-dz01 z_to_a',
    ])
    expect(losses).not.toEqual(await answer(now, 'links-with-loss'))
    expect((await answer(otherSeed, 'multicast-top-subscriber'))[0]?.[0]).toBe('Larch Orchard')
    expect((await answer(otherSeed, 'latency-against-internet')).map(row => row.slice(0, 2))).toEqual([['mad', 'mil']])
    expect((await answer(otherSeed, 'highest-utilisation')).map(row => row.slice(0, 2))).toEqual(
      (await answer(now, 'highest-utilisation')).map(row => row.slice(0, 2)),
    )
    for (const id of ['validators-connected', 'connected-stake-share', 'disconnected-not-back', 'demo-05']) {
      expect(await answer(otherSeed, id)).not.toEqual(await answer(now, id))
    }
  })

  it('have questions that are answered by data or by behaviour', () => {
    const questions = readCases('demo/questions.jsonl')
    expect(questions.filter(each => each.gold_sql === undefined && each.expect === undefined)).toEqual([])
    expect(questions.filter(each => each.tags.includes('follow-up')).length).toBeGreaterThanOrEqual(4)
  })
})

describe('loading', () => {
  const load = async (options: { seed?: number; anchor?: Date; database?: string } = {}) =>
    await loadDemoWorld({ warehouse: thinned(engine.warehouse), database: 'loading', ...options }, signal)

  it('is skipped if the data is there, and repeated for another seed or anchor', async () => {
    expect((await load()).loaded).toBe(true)
    expect((await load()).loaded).toBe(false)
    expect((await load({ seed: 7 })).loaded).toBe(true)
    expect((await load({ seed: 7, anchor: ANCHOR })).loaded).toBe(true)
    const again = await load({ seed: 7, anchor: ANCHOR })
    expect(again).toMatchObject({ loaded: false, seed: 7, anchor: ANCHOR })
    expect(again.rows).toBeGreaterThan(50_000)
  })

  it('is repeated when the data is stale', async () => {
    const [[now] = []] = await ask('system', 'SELECT toUnixTimestamp(now())')
    const anchor = (minutes: number) => new Date((Number(now) - minutes * 60) * 1000)
    await load({ anchor: anchor(80) })
    expect((await load()).loaded).toBe(false)
    await load({ anchor: anchor(91) })
    expect((await load()).loaded).toBe(true)
  })

  it('is repeated after an unfinished load', async () => {
    await load()
    const stop = new AbortController()
    const warehouse = thinned(engine.warehouse)
    const endsHalfWay = {
      ...warehouse,
      write: async (statement, writeSignal) => {
        if (statement.sql.startsWith('RENAME DATABASE loading_next')) stop.abort()
        await warehouse.write(statement, writeSignal)
      },
    } satisfies Warehouse
    const broken = loadDemoWorld({ warehouse: endsHalfWay, database: 'loading', seed: 9 }, stop.signal)
    await expect(broken).rejects.toMatchObject({ kind: 'cancelled' })
    expect((await load()).loaded).toBe(true)
    expect((await load()).loaded).toBe(false)
    expect(await ask('system', `SELECT name FROM system.databases WHERE name LIKE 'loading%'`)).toEqual([['loading']])
  })

  it('is repeated if a table is missing', async () => {
    await load()
    await engine.warehouse.write({ sql: 'DROP TABLE loading.dz_metros SYNC' }, signal)
    expect((await load()).loaded).toBe(true)
  })

  it('does not touch a database of someone else', async () => {
    await engine.warehouse.write({ sql: 'CREATE DATABASE precious' }, signal)
    await engine.warehouse.write({ sql: 'CREATE TABLE precious.t (a UInt8) ENGINE = MergeTree ORDER BY a' }, signal)
    await expect(load({ database: 'precious' })).rejects.toThrow(ConfigurationError)
    await expect(load({ database: 'x; DROP DATABASE precious' })).rejects.toThrow(ConfigurationError)
    expect(await ask('precious', 'SHOW TABLES')).toEqual([['t']])
  })

  it('leaves no scratch tables, and working views', async () => {
    await load()
    const tables = (await ask('loading', 'SHOW TABLES')).flat()
    expect(tables.filter(name => String(name).startsWith('scratch_'))).toEqual([])
    expect(await ask('loading', 'SELECT count() > 0 FROM link_utilisation')).toEqual([[1]])
    expect(await ask('loading', 'SELECT count() FROM dz_links_current')).toEqual([['64']])
  })
})
