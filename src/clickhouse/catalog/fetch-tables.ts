import { z } from 'zod'
import type { CatalogColumn, CatalogEntry } from '../../warehouse/catalog/entry.ts'
import { byTable, type ListedTable, tableKey } from '../../warehouse/catalog/listed-table.ts'
import { privateCopyTest } from '../../warehouse/column-origins.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import { markDerived, type PrivateColumnTest } from '../../warehouse/private-columns.ts'
import { readRows } from '../../warehouse/read-rows.ts'
import { hasParts } from '../../warehouse/sql/column-type.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { readEngineFacts } from './engine-facts.ts'

const TABLES = `
SELECT database, name, comment, primary_key, sorting_key, partition_key, sampling_key, as_select,
  engine_full, if(engine IN ('MaterializedView', 'Dictionary'), create_table_query, '') AS definition
FROM system.tables WHERE database IN {databases:Array(String)} AND name IN {names:Array(String)}`

const COLUMNS = `
SELECT database, table, name, type, comment, default_kind, default_expression, data_uncompressed_bytes AS bytes, is_in_partition_key
FROM system.columns WHERE database IN {databases:Array(String)} AND table IN {names:Array(String)}
ORDER BY database, table, position`

const tableRow = z.object({
  database: z.string(),
  name: z.string(),
  comment: z.string(),
  primary_key: z.string(),
  sorting_key: z.string(),
  partition_key: z.string(),
  sampling_key: z.string(),
  as_select: z.string(),
  engine_full: z.string(),
  definition: z.string(),
})
const columnRow = z.object({
  database: z.string(),
  table: z.string(),
  name: z.string(),
  type: z.string(),
  comment: z.string(),
  default_kind: z.enum(['', 'DEFAULT', 'MATERIALIZED', 'ALIAS', 'EPHEMERAL']).catch(''),
  default_expression: z.string(),
  bytes: z.union([z.null(), z.coerce.number()]),
  is_in_partition_key: z.coerce.number(),
})

/**
 * Fetches names, types, keys, comments and view definitions, with two queries per 200 tables. Tables that were dropped in the
 * meantime are missing. The server lists no columns for a view with parameters, so such a view has none here.
 * @throws WarehouseError
 */
export async function fetchTables(
  deps: { readonly warehouse: Pick<Warehouse, 'read'>; readonly isPrivate: PrivateColumnTest; readonly now: () => number },
  listed: readonly ListedTable[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<readonly CatalogEntry[]> {
  const entries: CatalogEntry[] = []
  for (let start = 0; start < listed.length; start += CATALOG_LIMITS.tablesPerFetch) {
    const chunk = listed.slice(start, start + CATALOG_LIMITS.tablesPerFetch)
    const parameters = { databases: [...new Set(chunk.map(table => table.database))], names: chunk.map(table => table.name) }
    const [tables, columns] = await Promise.all([
      readRows(deps.warehouse, { sql: TABLES, parameters, timeoutMs }, tableRow, signal),
      readRows(deps.warehouse, { sql: COLUMNS, parameters, timeoutMs }, columnRow, signal),
    ])
    const details = new Map(tables.map(row => [tableKey(row), row]))
    const columnsOf = byTable(columns)
    for (const table of chunk) {
      const detail = details.get(tableKey(table))
      if (detail === undefined) continue
      const isCopy = privateCopyTest(detail.comment, deps.isPrivate)
      const own = (columnsOf.get(tableKey(table)) ?? []).map(row => {
        const column = toColumn(row, deps.isPrivate)
        return isCopy(column.name) ? { ...column, isPrivate: true } : column
      })
      entries.push(toEntry(table, detail, markDerived(own), deps.now()))
    }
  }
  return entries
}

function toColumn(row: z.infer<typeof columnRow>, isPrivate: PrivateColumnTest): CatalogColumn {
  return {
    name: row.name,
    type: row.type,
    comment: row.comment,
    ...(row.default_kind !== '' && { computed: { kind: row.default_kind, expression: row.default_expression } }),
    ...(isPrivate(row.database, row.table, row.name, hasParts(row.type)) && { isPrivate: true }),
    bytes: row.bytes ?? 0,
    inPartitionKey: row.is_in_partition_key === 1,
  }
}

function toEntry(
  table: ListedTable,
  detail: z.infer<typeof tableRow>,
  columns: CatalogColumn[],
  fetchedAt: number,
): CatalogEntry {
  const { key, ...facts } = readEngineFacts(table, detail.engine_full, detail.definition)
  return {
    ...facts,
    fingerprint: table.fingerprint,
    settled: table.ageSeconds >= CATALOG_LIMITS.settledAfterSeconds,
    fetchedAt,
    database: table.database,
    name: table.name,
    engine: table.engine,
    comment: toldComment(detail.comment),
    primaryKey: key === '' ? detail.primary_key : key,
    sortingKey: detail.sorting_key,
    partitionKey: detail.partition_key,
    samplingKey: detail.sampling_key,
    viewDefinition: detail.as_select,
    columns,
    rowsThen: table.rows,
  }
}

/**
 * Returns a table's comment for people and models. On a pipeline's table, the comment is JSON for Clew itself, so they see the
 * pipeline's name instead.
 */
function toldComment(comment: string): string {
  const job = /^\{"clew_job":"[^"]*","job_name":"(\w+)"/.exec(comment)?.[1]
  return job === undefined ? comment : `Filled by the pipeline ${job}.`
}
