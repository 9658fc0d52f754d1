import { z } from 'zod'
import { fetchTables } from '../../clickhouse/catalog/fetch-tables.ts'
import type { LineageGraph } from '../../pipelines/lineage/graph.ts'
import { queryInParts } from '../../pipelines/query-in-parts.ts'
import { toTableSchema } from '../../warehouse/catalog/entry.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import type { PrivateColumnTest } from '../../warehouse/private-columns.ts'
import { readRows } from '../../warehouse/read-rows.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

const TABLES = `
SELECT database, name, engine, total_rows AS rows FROM system.tables
WHERE has({tables:Array(String)}, concat(database, {dot:String}, name)) AND database IN {databases:Array(String)}`

const tableRow = z.object({
  database: z.string(),
  name: z.string(),
  engine: z.string(),
  rows: z.union([z.null(), z.coerce.number()]),
})

/**
 * Returns the current schema of those tables of the graph that still exist. Queries and cost estimates need it.
 * @throws WarehouseError
 */
export async function readGraphSchema(
  deps: { readonly warehouse: Pick<Warehouse, 'read'>; readonly isPrivate: PrivateColumnTest },
  graph: LineageGraph,
  signal: AbortSignal,
): Promise<Schema> {
  const live = graph.nodes.filter(({ state }) => state !== 'gone')
  const databases = [...new Set(live.map(({ table }) => table.database))]
  const listed = await queryInParts(
    live.map(({ table }) => qualifiedName(table)),
    tables => {
      const parameters = { tables, databases, dot: '.' }
      return readRows(deps.warehouse, { sql: TABLES, parameters, database: 'system' }, tableRow, signal)
    },
  )
  const uncached = { fingerprint: '', ageSeconds: 0, bytes: 0, part: 0 }
  const entries = await fetchTables(
    { ...deps, now: () => 0 },
    listed.map(table => ({ ...table, ...uncached })),
    CATALOG_LIMITS.fetchTimeoutMs,
    signal,
  )
  const tables = entries.map(entry => toTableSchema(entry, entry.rowsThen))
  return { tables, databases: [], serverVersion: '', timeZone: '', fetchedAt: '' }
}
