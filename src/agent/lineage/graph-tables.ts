import { z } from 'zod'
import { markDerived, type PrivateColumnTest } from '../../clickhouse/catalog/private-columns.ts'
import { readRows } from '../../clickhouse/catalog/read-rows.ts'
import type { GuardScope, ScopeColumns } from '../../clickhouse/guard/sql-guard.ts'
import type { ColumnComputation } from '../../clickhouse/schema.ts'
import type { Warehouse } from '../../clickhouse/warehouse.ts'
import { type LineageGraph, tableText } from '../../pipelines/lineage/lineage-graph.ts'

const COLUMNS = `
SELECT database, table, name, type, comment, default_kind AS kind, default_expression AS expression FROM system.columns
WHERE has({tables:Array(String)}, concat(database, {dot:String}, table)) AND database IN {databases:Array(String)}
ORDER BY database, table, position`

const columnRow = z.object({
  database: z.string(),
  table: z.string(),
  name: z.string(),
  type: z.string(),
  comment: z.string(),
  kind: z.string(),
  expression: z.string(),
})

export interface GraphColumn {
  readonly name: string
  readonly type: string
  readonly comment: string
  readonly isPrivate: boolean
  readonly computed: ColumnComputation | undefined
}

/** The columns of a graph's tables that are there, by `database.table`. @throws WarehouseError */
export async function readGraphColumns(
  { warehouse, isPrivate }: { readonly warehouse: Pick<Warehouse, 'read'>; readonly isPrivate: PrivateColumnTest },
  graph: LineageGraph,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly GraphColumn[]>> {
  const live = graph.nodes.filter(({ state }) => state !== 'gone')
  const parameters = {
    tables: live.map(({ table }) => tableText(table)),
    databases: [...new Set(live.map(({ table }) => table.database))],
    dot: '.',
  }
  const rows = await readRows(warehouse, { sql: COLUMNS, parameters, database: 'system' }, columnRow, signal)
  const byTable = new Map<string, GraphColumn[]>()
  for (const { database, table, kind, expression, ...column } of rows) {
    const name = `${database}.${table}`
    const computed = kind === '' ? undefined : ({ kind, expression } as ColumnComputation)
    const read = { ...column, isPrivate: isPrivate(database, table, column.name), computed }
    byTable.set(name, [...(byTable.get(name) ?? []), read])
  }
  return new Map([...byTable].map(([name, columns]) => [name, markDerived(columns)]))
}

/** Exactly the tables of the graph that are there may be read, without their private columns. */
export function scopeOfGraph(graph: LineageGraph, columns: ReadonlyMap<string, readonly GraphColumn[]>): GuardScope {
  const readable = graph.nodes.filter(({ state }) => state !== 'gone').map(({ table }) => tableText(table))
  return {
    database: graph.nodes[0]?.table.database ?? 'default',
    tables: new Set(readable),
    columns: new Map(readable.map(name => [name, scopeColumns(columns.get(name) ?? [])])),
  }
}

function scopeColumns(columns: readonly GraphColumn[]): ScopeColumns {
  const named = (test: (column: GraphColumn) => boolean) => new Set(columns.filter(test).map(({ name }) => name))
  return {
    readable: named(({ isPrivate, computed }) => !isPrivate && computed?.kind !== 'EPHEMERAL'),
    restricted: named(({ isPrivate }) => isPrivate),
    byNameOnly: named(({ computed }) => computed?.kind === 'ALIAS' || computed?.kind === 'MATERIALIZED'),
  }
}
