import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createLogger } from '../../src/base/logger.ts'
import { SchemaCatalog } from '../../src/clickhouse/catalog/schema-catalog.ts'
import { loadDemoWorld } from '../../src/clickhouse/demo/world.ts'
import { readDemoSecurityStatements } from '../../src/clickhouse/demo/world-statements.ts'
import { loadEvalWorld } from '../../src/evals/world.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import { joinPaths } from '../../src/warehouse/joins/paths.ts'
import type { Schema } from '../../src/warehouse/schema.ts'
import { startTestEngine, type TestEngine } from '../support/engine.ts'

const signal = AbortSignal.timeout(300_000)
const logger = createLogger({ level: 'silent' })

/** The joins that an expert would expect in each database, from many rows to one. If no share is given, all values match. */
const WORLDS = [
  [
    'network',
    `dz_devices.metro_code → dz_metros.code
    dz_devices.contributor_code → dz_contributors.code
    dz_links.contributor_code → dz_contributors.code
    dz_links.side_a_device → dz_devices.code
    dz_links.side_z_device → dz_devices.code
    dz_link_history.link_code → dz_links.code
    dz_users.device_code → dz_devices.code
    dz_users.dz_ip → gossip_nodes.gossip_ip
    dz_users_history.user_pubkey → dz_users.pubkey
    dz_users_history.device_code → dz_devices.code
    dz_users_history.dz_ip → gossip_nodes.gossip_ip
    fact_interface_counters.device_code → dz_devices.code
    fact_interface_counters.link_code → dz_links.code
    fact_internet_latency.metro_1 → dz_metros.code
    fact_internet_latency.metro_2 → dz_metros.code
    fact_link_telemetry.link_code → dz_links.code
    fact_multicast_traffic.group_code → multicast_groups.code
    fact_multicast_traffic.user_pubkey → dz_users.pubkey
    fact_multicast_traffic.group_code,user_pubkey → multicast_subscriptions.group_code,user_pubkey
    multicast_subscriptions.group_code → multicast_groups.code
    multicast_subscriptions.user_pubkey → dz_users.pubkey
    stake_history.vote_pubkey → vote_accounts.vote_pubkey
    vote_lag.vote_pubkey → vote_accounts.vote_pubkey
    vote_accounts.node_pubkey → gossip_nodes.pubkey
    gossip_nodes_history.pubkey → gossip_nodes.pubkey
    link_utilisation.link_code → dz_links.code
    dz_links_current.link_code → dz_links.code`,
  ],
  [
    'shop',
    `orders.customer_id → customers.id
    order_lines.order_id → orders.id
    order_lines.product_id → products.id
    payments.order_id → orders.id
    returns.order_id → orders.id
    returns.order_id,line_no → order_lines.order_id,line_no
    visits.product_id → products.id
    stock_movements.product_id → products.id
    orders.currency → exchange_rates.currency`,
  ],
  [
    'ops',
    `requests.service → services.name
    logs.service → services.name
    spans.service → services.name
    deployments.service → services.name
    spans.parent_id → spans.span_id
    spans.trace_id = logs.trace_id`,
  ],
  [
    'mart',
    `stores.region_id → regions.id
    daily_sales.store_id → stores.id
    stock.store_id → stores.id
    subscriptions.customer_id → customers.id
    daily_sales.store_id,product_group → stock.store_id,product_group`,
  ],
  ['security', 'cve_feed.vendor_code → vendor_codes.vendor_code'],
] as const

let engine: TestEngine
beforeAll(async () => {
  engine = await startTestEngine()
  const { warehouse } = engine
  for (const folder of ['shop', 'logs', 'rollups']) await loadEvalWorld(`evals/${folder}`, [], warehouse, signal)
  await loadDemoWorld({ warehouse, anchor: new Date('2026-11-01T00:00:00Z') }, signal)
  await warehouse.write({ sql: 'CREATE DATABASE security', database: 'system' }, signal)
  for (const sql of readDemoSecurityStatements()) await warehouse.write({ sql, database: 'security' }, signal)
}, 240_000)
afterAll(async () => await engine.close())

async function schemaOf(database: string): Promise<Schema> {
  const store = createMemoryStateStore({ now: Date.now })
  const options = { databases: [database], firstMomentMs: 120_000 }
  const catalog = new SchemaCatalog({ warehouse: engine.warehouse, store, logger }, options)
  const schema = await catalog.load(signal)
  await catalog.close()
  return schema
}

function found(schema: Schema) {
  return [...joinPaths(schema.tables)].flatMap(([from, paths]) =>
    paths.map(({ columns, to, toColumns, kind, isSure }) => {
      const text = `${from.name}.${columns} ${kind === 'shared' ? '=' : '→'} ${to.name}.${toColumns}`
      return { text, isSure }
    }),
  )
}

describe('the joins found', () => {
  it.each(WORLDS)(
    'over %s are those that its author would draw',
    async (database, drawn) => {
      const right = drawn.split('\n').map(line => line.trim())
      const paths = found(await schemaOf(database))
      const hits = right.filter(text => paths.some(path => path.text === text))
      const wrong = paths.filter(path => !right.includes(path.text))
      const missed = right.filter(text => !hits.includes(text))
      const rates = `precision ${paths.length - wrong.length}/${paths.length}, recall ${hits.length}/${right.length}`
      process.stdout.write(`${database}: ${rates}${missed.length > 0 ? `, missed ${missed.join('; ')}` : ''}\n`)
      expect(wrong).toEqual([])
      expect(hits.length).toBeGreaterThanOrEqual(database === 'shop' ? 8 : Math.ceil(right.length * 0.9))
      // Every join must be sure. Only joins with views may be unsure, because views have no statistics.
      const unsure = paths.filter(path => !path.isSure && path.text.includes('→')).map(path => path.text)
      expect(unsure.filter(text => !/^(link_utilisation|dz_links_current)\./.test(text))).toEqual([])
    },
    180_000,
  )
})
