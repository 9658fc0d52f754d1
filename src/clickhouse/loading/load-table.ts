import { sqlLiteral } from '../catalog/plain-text.ts'
import { quoteIdentifier, quoteTable } from '../catalog/quote-identifier.ts'
import type { Warehouse } from '../warehouse.ts'
import { type FileSurvey, LOAD_TIMEOUT_MS } from './survey-files.ts'
import type { TableComments } from './table-comments.ts'

interface Target {
  readonly database: string
  readonly name: string
}

/** Whether there is a table (or a view) of that name. */
export async function tableExists(
  warehouse: Pick<Warehouse, 'readOwn'>,
  { database, name }: Target,
  signal: AbortSignal,
): Promise<boolean> {
  const sql = 'SELECT 1 FROM system.tables WHERE database = {database:String} AND name = {name:String}'
  const { rows } = await warehouse.readOwn({ sql, parameters: { database, name }, database: 'system' }, signal)
  return rows.length > 0
}

/**
 * Makes a table of what the files hold, or puts it in place of the one of that name. The table is there when all of its rows are: what fails or is stopped
 * leaves everything as it was.
 * @throws WarehouseError
 */
export async function loadTable(
  warehouse: Pick<Warehouse, 'write'>,
  target: Target,
  { survey, comments }: { readonly survey: FileSurvey; readonly comments: TableComments },
  signal: AbortSignal,
): Promise<void> {
  const columns = survey.columns.map(
    ({ name, type }) => `${quoteIdentifier(name)} ${type} COMMENT ${sqlLiteral(comments.columns[name] ?? '')}`,
  )
  // On databases of other engines than Atomic this is the one statement that puts a table in place at once.
  const sql = `CREATE OR REPLACE TABLE ${quoteTable(target)} (${columns.join(', ')}) ENGINE = MergeTree ORDER BY tuple()
COMMENT ${sqlLiteral(comments.table)} AS ${survey.select}`
  await warehouse.write({ sql: `CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(target.database)}` }, signal)
  await warehouse.write({ sql, timeoutMs: LOAD_TIMEOUT_MS }, signal)
}
