import { z } from 'zod'
import { nearNames } from '../warehouse/near-names.ts'
import { readRows } from '../warehouse/read-rows.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { SERVER_LIMITS } from './limits.ts'

const databaseRow = z.object({ name: z.string(), tables: z.coerce.number() })
export type KnownDatabase = z.infer<typeof databaseRow>

/**
 * Returns the databases that the user is allowed to see, each with its number of tables. System databases are left out.
 * @throws WarehouseError
 */
export function readDatabases(warehouse: Pick<Warehouse, 'read'>, signal: AbortSignal): Promise<readonly KnownDatabase[]> {
  const sql = `
    SELECT name, countIf(t.database != '') AS tables
    FROM system.databases AS d
    LEFT JOIN (SELECT database FROM system.tables WHERE NOT is_temporary) AS t ON t.database = d.name
    WHERE name NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') GROUP BY name ORDER BY name`
  return readRows(warehouse, { sql, database: 'system' }, databaseRow, signal)
}

/**
 * Returns the databases that have tables and a name similar to `asked`. If no name is similar, returns the first databases that
 * have tables.
 */
export function databasesToName(asked: string, known: readonly KnownDatabase[]): readonly string[] {
  const others = known.filter(({ tables }) => tables > 0).map(({ name }) => name)
  const near = nearNames(asked, others)
  return near.length > 0 ? near : others.slice(0, SERVER_LIMITS.namedDatabases)
}

/** Returns a sentence that suggests values for the variable CLICKHOUSE_DATABASE. */
export function setDatabaseAdvice(asked: string, known: readonly KnownDatabase[]): string {
  const named = databasesToName(asked, known)
  return named.length === 0
    ? 'No database that this user sees has tables: load files (`clew load FILE…`), or grant the user SELECT on yours.'
    : `Set CLICKHOUSE_DATABASE to one that has tables: ${named.join(', ')}.`
}
