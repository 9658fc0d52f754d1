import { sqlLiteral } from '../../warehouse/sql/plain-text.ts'
import { quoteIdentifier, quoteTable } from '../../warehouse/sql/quote-identifier.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { SERVER_LIMITS } from '../limits.ts'
import type { FileSurvey } from './survey-files.ts'
import type { TableComments } from './table-comments.ts'

interface Target {
  readonly database: string
  readonly name: string
}

/** Whether the database already has a table or view of this name. */
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
 * Creates a table from files, or replaces the table of this name. The table appears only with all its rows. If anything fails,
 * nothing changes.
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
  // `CREATE OR REPLACE` replaces the table in a single step, so that nobody sees a table without rows. Outside of Atomic
  // databases, no other statement does this.
  const sql = `CREATE OR REPLACE TABLE ${quoteTable(target)} (${columns.join(', ')}) ENGINE = MergeTree ORDER BY tuple()
COMMENT ${sqlLiteral(comments.table)} AS ${survey.select}`
  await warehouse.write({ sql: `CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(target.database)}` }, signal)
  await warehouse.write({ sql, timeoutMs: SERVER_LIMITS.load.timeMs }, signal)
}
