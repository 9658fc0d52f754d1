import { z } from 'zod'
import type { ServerFacts } from '../../warehouse/catalog/reader.ts'
import { readRows } from '../../warehouse/read-rows.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

const SQL = `
SELECT version() AS serverVersion, timezone() AS timeZone,
  (SELECT arraySort(groupArray((name, comment))) FROM system.databases WHERE name IN {databases:Array(String)}) AS databases`

const serverRow = z.object({
  serverVersion: z.string(),
  timeZone: z.string(),
  databases: z.array(z.tuple([z.string(), z.string()]).transform(([name, comment]) => ({ name, comment }))),
})

/**
 * Reads the facts of the server: version, time zone and databases.
 * @throws WarehouseError
 */
export async function readServer(
  warehouse: Warehouse,
  databases: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ServerFacts> {
  const [facts] = await readRows(warehouse, { sql: SQL, parameters: { databases }, timeoutMs }, serverRow, signal)
  return facts ?? { serverVersion: 'unknown', timeZone: 'UTC', databases: [] }
}
