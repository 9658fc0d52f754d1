import type { Schema, TableSchema } from '../schema.ts'
import { isNamedIn } from '../table-names.ts'
import type { CostEstimate } from './estimate.ts'

/**
 * Estimates the cost of a query that the engine did not plan. Adds up all rows of the tables in the query, and of the tables that
 * its views read. Each table is included once. Bytes are 0, because the used columns are unknown.
 * @param tables the tables in the query, as `database.table`
 */
export function estimateByCatalog(tables: readonly string[], schema: Schema): CostEstimate {
  const named = new Map<string, TableSchema>()
  const add = (table: TableSchema) => {
    if (named.has(nameOf(table))) return
    named.set(nameOf(table), table)
    if (table.viewDefinition === '') return
    // The server stores a view's definition with full table names. So a search for `database.table` finds them.
    for (const other of schema.tables) if (isNamedIn(table.viewDefinition, nameOf(other))) add(other)
  }
  for (const table of schema.tables) if (tables.includes(nameOf(table))) add(table)
  const costs = [...named.values()]
    .map(table => ({ table: nameOf(table), rows: table.rows ?? 0, bytes: 0, columns: [] }))
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => b.rows - a.rows)
  return {
    tables: costs,
    rows: costs.reduce((sum, { rows }) => sum + rows, 0),
    ...{ bytes: 0, joinedRows: 0, unknown: [], isCatalog: true },
  }
}

function nameOf({ database, name }: TableSchema): string {
  return `${database}.${name}`
}
