// Loads the world into EVAL_CLICKHOUSE_URL and EVAL_POSTGRES_URL (of an administrator: EVAL_POSTGRES_ADMIN_URL), and with `--gold` computes gold.jsonl:
// all tables go into one engine in memory, where the SQL of cases.yaml runs. `--postgres` starts a Postgres for it, and keeps it until Ctrl-C.
import { readFileSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { parse } from 'yaml'
import { createLogger } from '../../src/base/logger.ts'
import { splitStatements } from '../../src/clickhouse/demo/world-statements.ts'
import { openWarehouse } from '../../src/clickhouse/open-warehouse.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'
import { startPostgres } from '../../test/support/postgres.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const signal = AbortSignal.timeout(600_000)
const limits = { database: 'system', maxBytes: 100_000_000, timeoutMs: 120_000 }
const open = (url: string) => openWarehouse({ url, ...limits, logger: createLogger({ level: 'silent' }) }, signal)

async function loadClickhouse(warehouse: Warehouse): Promise<void> {
  for (const name of ['charging', 'app']) await warehouse.write({ sql: `DROP DATABASE IF EXISTS ${name}` }, signal)
  await warehouse.write({ sql: 'DROP FUNCTION IF EXISTS eval_h' }, signal)
  for (const sql of splitStatements(read('world/clickhouse.sql'))) await warehouse.write({ sql }, signal)
}

async function loadPostgres(client: pg.Client): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS finance CASCADE; ${read('world/postgres.sql')}; ANALYZE`)
  await client.query(`DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'clew_reader') THEN
    GRANT USAGE ON SCHEMA finance TO clew_reader; GRANT SELECT ON ALL TABLES IN SCHEMA finance TO clew_reader; END IF; END $$`)
}

const MOMENT = "DateTime('UTC')"
const TYPES: Record<string, string> = {
  integer: 'Int64',
  numeric: 'Decimal(18, 4)',
  date: 'Date',
  'timestamp with time zone': MOMENT,
}

/** Copies the tables of Postgres into the engine, as a database of the same name. */
async function copyPostgres(client: pg.Client, warehouse: Warehouse): Promise<void> {
  await warehouse.write({ sql: 'CREATE DATABASE finance' }, signal)
  const insert = "SETTINGS date_time_input_format = 'best_effort' FORMAT JSONEachRow"
  await client.query("SET TimeZone = 'UTC'")
  const columns = await client.query(
    "SELECT table_name AS t, string_agg(column_name || '|' || data_type, ',' ORDER BY ordinal_position) AS c FROM information_schema.columns WHERE table_schema = 'finance' GROUP BY 1",
  )
  for (const { t, c } of columns.rows) {
    const typed = c.split(',').map((each: string) => each.replace(/\|(.*)/, (_, type) => ` Nullable(${TYPES[type] ?? 'String'})`))
    await warehouse.write({ sql: `CREATE TABLE finance.${t} (${typed}) ENGINE = MergeTree ORDER BY tuple()` }, signal)
    const { rows } = await client.query(`SELECT row_to_json(r)::text AS j FROM finance.${t} AS r`)
    for (let at = 0; at < rows.length; at += 2_000) {
      const lines = rows.slice(at, at + 2_000).map(row => row.j)
      await warehouse.write({ sql: `INSERT INTO finance.${t} ${insert} ${lines.join('\n')}` }, signal)
    }
  }
}

/** Runs the gold SQL of each case. A statement that fails or finds nothing is named. */
async function computeGold(client: pg.Client): Promise<void> {
  const warehouse = await open('chdb:memory')
  await loadClickhouse(warehouse)
  await copyPostgres(client, warehouse)
  const { views, cases } = parse(read('cases.yaml'))
  await warehouse.write({ sql: 'CREATE DATABASE g' }, signal)
  for (const [name, sql] of Object.entries(views)) await warehouse.write({ sql: `CREATE VIEW g.${name} AS ${sql}` }, signal)
  const gold: string[] = []
  for (const each of cases) {
    const results = []
    for (const sql of [each.gold].flat()) {
      try {
        const { columns, rows } = await warehouse.readOwn({ sql }, signal)
        // Sums of floats and the order of rows differ a little from run to run.
        const cells = rows.map(row => row.map(cell => (typeof cell === 'number' ? Number(cell.toPrecision(9)) : cell)))
        const kept = each.is.includes('ordered')
          ? cells
          : cells
              .map(row => JSON.stringify(row))
              .sort()
              .map(text => JSON.parse(text))
        results.push({ columns: columns.map(({ name }) => name), rows: kept })
        if (rows.length === 0) console.error(`${each.id}: no rows`)
        if (process.argv.includes('--verbose')) console.log(each.id, rows.length, JSON.stringify(rows.slice(0, 6)))
      } catch (error) {
        console.error(`${each.id}: ${String(error).slice(0, 400)}`)
        process.exitCode = 1
      }
    }
    gold.push(JSON.stringify({ id: each.id, results }))
  }
  writeFileSync(new URL('gold.jsonl', import.meta.url), `${gold.join('\n')}\n`)
  await warehouse.close()
}

const server = process.argv.includes('--postgres') ? await startPostgres() : undefined
const { EVAL_CLICKHOUSE_URL, EVAL_POSTGRES_ADMIN_URL, EVAL_POSTGRES_URL } = process.env
const client = new pg.Client({ connectionString: server?.adminUrl ?? EVAL_POSTGRES_ADMIN_URL ?? EVAL_POSTGRES_URL })
await client.connect()
await loadPostgres(client)
if (EVAL_CLICKHOUSE_URL !== undefined) {
  const warehouse = await open(EVAL_CLICKHOUSE_URL)
  await loadClickhouse(warehouse)
  await warehouse.close()
}
if (process.argv.includes('--gold')) await computeGold(client)
await client.end()
if (server !== undefined) {
  console.log(`EVAL_POSTGRES_URL=${server.url}\nEVAL_POSTGRES_ADMIN_URL=${server.adminUrl}`)
  await new Promise(resolve => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  await server.stop()
}
