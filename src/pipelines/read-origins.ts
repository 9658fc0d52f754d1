import { z } from 'zod'
import type { ColumnLineage, InputColumn } from '../warehouse/column-lineage.ts'
import type { ColumnOrigins, OutsideColumns } from '../warehouse/column-origins.ts'
import { computedFrom } from '../warehouse/private-columns.ts'
import { readRows } from '../warehouse/read-rows.ts'
import type { TableName } from '../warehouse/schema.ts'
import { hasParts } from '../warehouse/sql/column-type.ts'
import type { StateWarehouse } from './state-database.ts'
import { MAKES_ROWS, READS_ELSEWHERE } from './table-functions.ts'

const TABLE_FUNCTION = /^_table_function\.(.*)$/s
const COLUMNS = `
SELECT database, table, name, type, default_kind, default_expression FROM system.columns
WHERE has({tables:Array(String)}, concat(database, {dot:String}, table)) ORDER BY database, table, position`

const columnRow = z.object({
  database: z.string(),
  table: z.string(),
  name: z.string(),
  type: z.string(),
  default_kind: z.string(),
  default_expression: z.string(),
})

/** A table that an operation reads. `mark` is the note that a pipeline leaves in the comment of a table that it fills. */
interface ReadTable {
  readonly table: TableName
  readonly mark: { readonly origins?: ColumnOrigins | undefined } | undefined
}

/**
 * For each column of a result, returns the outside columns from which it is made: columns of tables that no pipeline fills. The
 * mark of a table that a pipeline filled lists the outside columns behind it. A column that only selects between values is
 * included, such as `vip` in `if(vip, a, b)`. A column that only decides which rows exist, such as one in WHERE, is not.
 * @param tables the tables that the operation reads, with their marks
 * @throws WarehouseError
 */
export async function readOrigins(
  warehouse: StateWarehouse,
  { fields }: ColumnLineage,
  tables: readonly ReadTable[],
  signal: AbortSignal,
): Promise<ColumnOrigins> {
  const names = [...new Set(fields.flatMap(({ inputs }) => inputs.map(({ table }) => table)))]
  const reader = { read: warehouse.readOwn.bind(warehouse) }
  const query = { sql: COLUMNS, parameters: { tables: names, dot: '.' }, database: 'system' }
  const columns = await readRows(reader, query, columnRow, signal)

  function originsOf({ table, column }: InputColumn): OutsideColumns | undefined {
    const called = TABLE_FUNCTION.exec(table)?.[1]?.toLowerCase()
    if (called !== undefined) {
      if (MAKES_ROWS.has(called) && called !== 'view') return []
      return READS_ELSEWHERE.has(called) ? [['', called, column, false]] : undefined
    }
    const there = tables.filter(each => `${each.table.database}.${each.table.name}` === table)
    // Either the table no longer exists, or it is hidden from this user. Either way, the sources of its columns are unknown.
    if (there.length === 0) return undefined
    return joined(
      there.map(({ table: { database, name }, mark }) => {
        if (mark !== undefined) return mark.origins && Object.hasOwn(mark.origins, column) ? mark.origins[column] : undefined
        const own = columns.filter(each => each.database === database && each.table === name)
        const typeOf = (each: string) => own.find(({ name: of }) => of === each)?.type ?? ''
        const computations = own.map(each => ({ name: each.name, kind: each.default_kind, expression: each.default_expression }))
        return computedFrom(column, computations).map(each => [database, name, each, hasParts(typeOf(each))] as const)
      }),
    )
  }

  const origins = fields.map(({ column, inputs }) => [column, joined(inputs.map(originsOf))] as const)
  return Object.fromEntries(origins.flatMap(([column, own]) => (own === undefined ? [] : [[column, own]])))
}

/** Merges lists of sources and removes duplicates. Returns undefined if one of the lists is unknown. */
function joined(all: readonly (OutsideColumns | undefined)[]): OutsideColumns | undefined {
  if (all.includes(undefined)) return undefined
  return [...new Map(all.flatMap(each => each ?? []).map(column => [JSON.stringify(column), column])).values()]
}
