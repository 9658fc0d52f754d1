import type { TableName } from '../../warehouse/schema.ts'
import { namedTables } from '../named-tables.ts'
import { READS_BY_NAME, tableOf } from '../outside-tables.ts'
import { MAKES_ROWS } from '../table-functions.ts'
import type { PipelineTables } from '../tables.ts'

const TREE = /^(?:QUERY|UNION) id: 0\b/

/**
 * Returns every table that an operation's SQL names, even in a branch that the engine would not run. For a view, returns the view
 * itself and not the tables behind it.
 * @returns undefined if the tables are uncertain: a function takes a table's name as text, or a name has several dots
 * @throws WarehouseError
 */
export async function operationReads(
  tables: PipelineTables,
  sql: string,
  signal: AbortSignal,
): Promise<readonly TableName[] | undefined> {
  const lines = await tables.queryTree(sql, signal)
  if (!TREE.test(lines[0] ?? '')) return undefined
  const named = namedTables(lines)
  const isUnknown =
    named.tableFunctions.some(name => !MAKES_ROWS.has(name.toLowerCase())) ||
    named.functions.some(name => READS_BY_NAME.test(name)) ||
    [...named.tables, ...named.besideIn].some(name => name.split('.').length > 2)
  if (isUnknown) return undefined
  const beside = named.besideIn.map(name => tableOf(name, tables))
  const there = beside.length === 0 ? [] : await tables.findAll(beside, signal)
  const all = [...named.tables.map(name => tableOf(name, tables)), ...there.map(({ table }) => table)]
  return [...new Map(all.map(table => [`${table.database}.${table.name}`, table])).values()]
}
