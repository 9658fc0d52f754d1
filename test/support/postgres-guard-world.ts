import { readFile } from 'node:fs/promises'
import { PostgresConnections } from '../../src/postgres/connection.ts'
import { PostgresSqlGuard } from '../../src/postgres/guard/postgres-sql-guard.ts'
import type { GuardScope, ScopeColumns } from '../../src/warehouse/sql-guard.ts'
import { type PostgresVersion, runSql, startPostgres } from './postgres.ts'

const CASES = new URL('../cases/postgres/', import.meta.url)
const TABLES = ['customers', 'orders', 'products', 'items', 'events', 'employees', 'revenue'].map(name => `shop.${name}`)
const PRIVATE = ['shop.customers.email']

/** Starts a server with the data of the guard's cases. The scope has all tables of its shop, without customers' addresses. */
export function startGuardWorld(version: PostgresVersion) {
  return startWorld(version, { file: 'world.sql', tables: TABLES, hidden: PRIVATE })
}

/** Starts a server with the data of the unseen cases. Much of what the scope leaves out may be read by the role. */
export function startUnseenWorld(version: PostgresVersion) {
  return startWorld(version, { file: 'unseen-world.sql', tables: ['shop.orders', 'shop.customers'], hidden: [] })
}

async function startWorld(
  version: PostgresVersion,
  { file, tables, hidden }: { readonly file: string; readonly tables: readonly string[]; readonly hidden: readonly string[] },
) {
  const server = await startPostgres({ version })
  await runSql(server.adminUrl, await readFile(new URL(file, CASES), 'utf8'))
  const columns = await runSql(
    server.adminUrl,
    `SELECT attrelid::regclass::text AS table, array_agg(attname::text) AS names FROM pg_attribute
     WHERE attnum > 0 AND attrelid = ANY ('{${tables.join(',')}}'::regclass[]) GROUP BY 1`,
  )
  const scope: GuardScope = {
    database: 'shop',
    tables: new Set(tables),
    columns: new Map(columns.map(({ table, names }) => [String(table), columnsOf(String(table), names as string[], hidden)])),
  }
  const connections = new PostgresConnections(server.url)
  return {
    server,
    connections,
    scope,
    guard: new PostgresSqlGuard({ connections }),
    async stop() {
      await connections.close()
      await server.stop()
    },
  }
}

/** Reads a file of cases, one JSON object a line. */
export async function readCases(
  name: string,
): Promise<readonly { readonly id: string; readonly sql: string; readonly since?: number }[]> {
  const text = await readFile(new URL(name, CASES), 'utf8')
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

function columnsOf(table: string, names: readonly string[], hidden: readonly string[]): ScopeColumns {
  const isPrivate = (name: string) => hidden.includes(`${table}.${name}`)
  return {
    readable: new Set(names.filter(name => !isPrivate(name))),
    restricted: new Set(names.filter(isPrivate)),
    byNameOnly: new Set(),
  }
}
