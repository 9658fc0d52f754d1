import { z } from 'zod'
import { readRows } from './catalog/read-rows.ts'
import { nearNames } from './near-names.ts'
import type { Warehouse } from './warehouse.ts'

/** A message names at most this many databases. */
const MOST_NAMED = 10

const databaseRow = z.object({ name: z.string(), tables: z.coerce.number() })
export type KnownDatabase = z.infer<typeof databaseRow>

/** The databases that the user may see, with the number of their tables; the server's own are left out. @throws WarehouseError */
export function readDatabases(warehouse: Pick<Warehouse, 'read'>, signal: AbortSignal): Promise<readonly KnownDatabase[]> {
  const sql = `
    SELECT name, countIf(t.database != '') AS tables
    FROM system.databases AS d
    LEFT JOIN (SELECT database FROM system.tables WHERE NOT is_temporary) AS t ON t.database = d.name
    WHERE name NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') GROUP BY name ORDER BY name`
  return readRows(warehouse, { sql, database: 'system' }, databaseRow, signal)
}

/** The databases with tables that may be meant by this name, else those that there are. */
export function databasesToName(asked: string, known: readonly KnownDatabase[]): readonly string[] {
  const others = known.filter(({ tables }) => tables > 0).map(({ name }) => name)
  const near = nearNames(asked, others)
  return near.length > 0 ? near : others.slice(0, MOST_NAMED)
}

/** Says in a sentence what CLICKHOUSE_DATABASE can be instead. */
export function setDatabaseAdvice(asked: string, known: readonly KnownDatabase[]): string {
  const named = databasesToName(asked, known)
  return named.length === 0
    ? 'No database that this user sees has tables: load files (`clew load FILE…`), or grant the user SELECT on yours.'
    : `Set CLICKHOUSE_DATABASE to one that has tables: ${named.join(', ')}.`
}
