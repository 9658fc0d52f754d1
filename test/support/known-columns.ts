import { z } from 'zod'
import type { GuardScope, ScopeColumns } from '../../src/warehouse/sql-guard.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'

const rowsSchema = z.array(z.tuple([z.string(), z.array(z.string()), z.array(z.string())]))

/** Returns a guard scope for some tables of a database. It contains the columns that the engine reports. */
export async function scopeWithColumns(
  warehouse: Warehouse,
  database: string,
  signal: AbortSignal,
): Promise<(tables: readonly string[]) => GuardScope> {
  const sql = `SELECT table, groupArray(name), groupArrayIf(name, default_kind IN ('ALIAS', 'MATERIALIZED'))
    FROM system.columns WHERE database = {database:String} GROUP BY table`
  const { rows } = await warehouse.read({ sql, parameters: { database } }, signal)
  const columns = new Map<string, ScopeColumns>(
    rowsSchema
      .parse(rows)
      .map(([table, names, byNameOnly]) => [
        `${database}.${table}`,
        { readable: new Set(names), restricted: new Set(), byNameOnly: new Set(byNameOnly) },
      ]),
  )
  return tables => {
    const names = new Set(tables.map(table => `${database}.${table}`))
    return { database, tables: names, columns: new Map([...columns].filter(([table]) => names.has(table))) }
  }
}
