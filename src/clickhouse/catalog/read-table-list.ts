import { z } from 'zod'
import type { Warehouse } from '../warehouse.ts'
import { readRows } from './read-rows.ts'

/** A table as the one cheap query that each turn makes sees it. */
export interface ListedTable {
  readonly database: string
  readonly name: string
  readonly engine: string
  /** Changes with the table's definition. */
  readonly fingerprint: string
  /** Seconds between the last change of the definition and now; a change in the same second as a fetch may have been missed by it. */
  readonly ageSeconds: number
  readonly rows: number | null
  readonly bytes: number
}

// The modification time and not a hash of the definition: printing definitions took 200 ms for 2,000 tables, this takes 17 ms (26.7).
const LIST = `
SELECT database, name, engine, toString(uuid) AS uuid, toUnixTimestamp(metadata_modification_time) AS modified,
  toInt64(toUnixTimestamp(now())) - toInt64(toUnixTimestamp(metadata_modification_time)) AS age, total_rows, total_bytes
FROM system.tables
WHERE database IN {databases:Array(String)} AND NOT is_temporary
  AND NOT (match(name, '^t_[0-9a-f]+$') AND length(name) = 18 AND startsWith(comment, concat(char(123), '"clew_job":')))
  AND NOT startsWith(name, '.inner') AND NOT startsWith(name, '.tmp.inner') AND NOT startsWith(name, '_tmp_replace_')
ORDER BY database, name`

const HASHES = `
SELECT database, name, toString(cityHash64(create_table_query)) AS hash
FROM system.tables WHERE database IN {databases:Array(String)} AND name IN {names:Array(String)}`

const count = z.union([z.null(), z.coerce.number()])
const listRow = z.object({
  database: z.string(),
  name: z.string(),
  engine: z.string(),
  uuid: z.string(),
  modified: z.coerce.number(),
  age: z.coerce.number(),
  total_rows: count,
  total_bytes: count,
})
const hashRow = z.object({ database: z.string(), name: z.string(), hash: z.string() })

/** The tables of the databases that the reader may see, without temporary and inner ones, and those that pipelines work with while they run. @throws WarehouseError */
export async function readTableList(
  warehouse: Warehouse,
  databases: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<readonly ListedTable[]> {
  const rows = await readRows(warehouse, { sql: LIST, parameters: { databases }, timeoutMs }, listRow, signal)
  // Databases that keep no files of metadata (Memory, some shared ones) give no time: there the definition itself is compared.
  const undated = rows.filter(row => row.modified === 0)
  const names = undated.map(row => row.name)
  const parameters = { databases: [...new Set(undated.map(row => row.database))], names }
  const hashes = undated.length === 0 ? [] : await readRows(warehouse, { sql: HASHES, parameters, timeoutMs }, hashRow, signal)
  const hashByTable = new Map(hashes.map(row => [tableKey(row), row.hash]))
  return rows.map(row => ({
    database: row.database,
    name: row.name,
    engine: row.engine,
    fingerprint: `${row.uuid} ${row.engine} ${row.modified} ${hashByTable.get(tableKey(row)) ?? ''}`,
    ageSeconds: row.age,
    rows: row.total_rows,
    bytes: row.total_bytes ?? 0,
  }))
}

/** One key for a qualified name. Both parts may hold dots, so a dot would not do. */
export function tableKey(table: { readonly database: string; readonly name: string }): string {
  return `${table.database}\0${table.name}`
}
