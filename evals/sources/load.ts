// Loads the world into EVAL_CLICKHOUSE_URL and EVAL_POSTGRES_URL (of an administrator: EVAL_POSTGRES_ADMIN_URL), and with `--gold` computes gold.jsonl:
// all tables go into one engine in memory, where the SQL of cases.yaml runs. `--postgres` starts a Postgres for it, and keeps it until Ctrl-C.
// `--set hotels` takes the set in that folder.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { parse } from 'yaml'
import { createLogger } from '../../src/base/logger.ts'
import { splitStatements } from '../../src/clickhouse/demo/world-statements.ts'
import { openWarehouse } from '../../src/clickhouse/open-warehouse.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'
import { startPostgres } from '../../test/support/postgres.ts'

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', default: '.' },
    gold: { type: 'boolean' },
    postgres: { type: 'boolean' },
    verbose: { type: 'boolean' },
  },
})
const at = (name: string) => new URL(`${options.set}/${name}`, import.meta.url)
const read = (name: string) => readFileSync(at(name), 'utf8')
const sources: { databases?: string[]; schemas?: string[] }[] = Object.values(parse(read('world/sources.yaml')).sources)
const databases = sources.flatMap(source => source.databases ?? [])
const schemas = sources.flatMap(source => source.schemas ?? [])
const signal = AbortSignal.timeout(600_000)
const limits = { createsFolder: true, database: 'system', maxBytes: 100_000_000, timeoutMs: 120_000 }
const open = (url: string) => openWarehouse({ url, ...limits, logger: createLogger({ level: 'silent' }) }, signal)

async function loadClickhouse(warehouse: Warehouse): Promise<void> {
  for (const name of databases) await warehouse.write({ sql: `DROP DATABASE IF EXISTS ${name}` }, signal)
  await warehouse.write({ sql: 'DROP FUNCTION IF EXISTS eval_h' }, signal)
  for (const sql of splitStatements(read('world/clickhouse.sql'))) await warehouse.write({ sql }, signal)
}

async function loadPostgres(client: pg.Client): Promise<void> {
  const names = schemas.join(', ')
  await client.query(`DROP SCHEMA IF EXISTS ${names} CASCADE; ${read('world/postgres.sql')}; ANALYZE`)
  await client.query(`DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'clew_reader') THEN
    GRANT USAGE ON SCHEMA ${names} TO clew_reader; GRANT SELECT ON ALL TABLES IN SCHEMA ${names} TO clew_reader; END IF; END $$`)
}

const MOMENT = "DateTime('UTC')"
const TYPES: Record<string, string> = {
  integer: 'Int64',
  numeric: 'Decimal(18, 4)',
  boolean: 'Bool',
  date: 'Date',
  'timestamp with time zone': MOMENT,
}

/** Copies the tables of a schema of Postgres into the engine, as a database of the same name. */
async function copySchema(client: pg.Client, warehouse: Warehouse, schema: string): Promise<void> {
  await warehouse.write({ sql: `CREATE DATABASE ${schema}` }, signal)
  const insert = "SETTINGS date_time_input_format = 'best_effort' FORMAT JSONEachRow"
  await client.query("SET TimeZone = 'UTC'")
  const columns = await client.query(
    "SELECT table_name AS t, string_agg(column_name || '|' || data_type, ',' ORDER BY ordinal_position) AS c FROM information_schema.columns WHERE table_schema = $1 GROUP BY 1",
    [schema],
  )
  for (const { t, c } of columns.rows) {
    const typed = c.split(',').map((each: string) => each.replace(/\|(.*)/, (_, type) => ` Nullable(${TYPES[type] ?? 'String'})`))
    await warehouse.write({ sql: `CREATE TABLE ${schema}.${t} (${typed}) ENGINE = MergeTree ORDER BY tuple()` }, signal)
    const { rows } = await client.query(`SELECT row_to_json(r)::text AS j FROM ${schema}.${t} AS r`)
    for (let at = 0; at < rows.length; at += 2_000) {
      const lines = rows.slice(at, at + 2_000).map(row => row.j)
      await warehouse.write({ sql: `INSERT INTO ${schema}.${t} ${insert} ${lines.join('\n')}` }, signal)
    }
  }
}

/** Runs the gold SQL of each case. A statement that fails or finds nothing is named. */
async function computeGold(client: pg.Client): Promise<void> {
  const warehouse = await open('chdb:memory')
  await loadClickhouse(warehouse)
  for (const schema of schemas) await copySchema(client, warehouse, schema)
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
        if (options.verbose) console.log(each.id, rows.length, JSON.stringify(rows.slice(0, 6)))
      } catch (error) {
        console.error(`${each.id}: ${String(error).slice(0, 400)}`)
        process.exitCode = 1
      }
    }
    gold.push(JSON.stringify({ id: each.id, results }))
  }
  writeFileSync(at('gold.jsonl'), `${gold.join('\n')}\n`)
  await warehouse.close()
}

const server = options.postgres ? await startPostgres() : undefined
const { EVAL_CLICKHOUSE_URL, EVAL_POSTGRES_ADMIN_URL, EVAL_POSTGRES_URL } = process.env
const client = new pg.Client({ connectionString: server?.adminUrl ?? EVAL_POSTGRES_ADMIN_URL ?? EVAL_POSTGRES_URL })
await client.connect()
await loadPostgres(client)
if (EVAL_CLICKHOUSE_URL !== undefined) {
  const warehouse = await open(EVAL_CLICKHOUSE_URL)
  await loadClickhouse(warehouse)
  await warehouse.close()
}
if (options.gold) await computeGold(client)
await client.end()
if (server !== undefined) {
  console.log(`EVAL_POSTGRES_URL=${server.url}\nEVAL_POSTGRES_ADMIN_URL=${server.adminUrl}`)
  await new Promise(resolve => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  await server.stop()
}
