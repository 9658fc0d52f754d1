import { roughShare } from '../catalog/rough-numbers.ts'
import { columnName, shortTableName, shownTableName } from '../catalog/shown-names.ts'
import type { TableName } from '../schema.ts'
import type { JoinPath } from './paths.ts'

/**
 * Describes a join over one column: `→ metros.code (96 %)`. This means that 96 % of the compared values also occur in
 * `metros.code`.
 */
export function joinPathText({ to, toColumns, found, kind }: JoinPath, from: TableName): string {
  const name = `${nameFrom(to, from)}.${namesText(toColumns)}`
  return kind === 'shared' ? `the same as ${name}, several rows each` : `→ ${name}${foundText(found)}`
}

/** Describes a join over several columns: `(order_id, line) → order_lines (order_id, line)`. */
export function severalColumnsText({ columns, to, toColumns, found }: JoinPath, from: TableName): string {
  return `(${namesText(columns)}) → ${nameFrom(to, from)} (${namesText(toColumns)})${foundText(found)}`
}

/** Whether a comment only repeats the name of the joined column. The prompt then leaves the comment out. */
export function isToldBy(comment: string, path: JoinPath | undefined): boolean {
  if (path === undefined || path.kind === 'shared') return false
  const name = `${path.to.name}.${path.toColumns.join()}`
  return [name, `${path.to.database}.${name}`].includes(comment.replace(/[`"]|\.$/g, '').trim())
}

/** Writes a table's name. Leaves out the database if both tables are in the same database. */
function nameFrom(table: TableName, from: TableName): string {
  return table.database === from.database ? shortTableName(table) : shownTableName(table)
}

function namesText(names: readonly string[]): string {
  return names.map(name => columnName({ name })).join(', ')
}

function foundText(found: number | null): string {
  if (found === null) return '?'
  return found === 1 ? '' : ` (${roughShare(found)})`
}
