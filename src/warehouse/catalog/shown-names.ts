import { SCHEMA_PROMPT_LIMITS } from '../limits.ts'
import type { ColumnSchema, JsonPath, TableName } from '../schema.ts'
import { cutCharacters, sqlColumnName, sqlName } from '../sql/plain-text.ts'

/** Returns `database.table` with the quotes that SQL needs. Cuts very long names. */
export function shownTableName(table: TableName): string {
  return `${sqlName(table.database)}.${shortTableName(table)}`
}

/** Returns the table's name without its database, with the quotes that SQL needs. Cuts very long names. */
export function shortTableName({ name }: TableName): string {
  return cutCharacters(sqlName(name), SCHEMA_PROMPT_LIMITS.nameCharacters)
}

export function columnName({ name }: { readonly name: string }): string {
  return cutCharacters(sqlColumnName(name), SCHEMA_PROMPT_LIMITS.nameCharacters)
}

/**
 * Returns the SQL expression for values of one type at a JSON path. For `user.age` in column `data`, this is
 * `data.user.age.:Int64`.
 */
export function pathExpression({ name }: { readonly name: string }, { path }: JsonPath, type: string): string {
  const names = [name, ...path.split('.')].map(sqlName)
  return `${names.join('.')}.:${sqlName(briefJson(type))}`
}

/** Turns a JSON path into columns, one for each type of its values. Each column's name is an SQL expression. */
export function pathColumns(column: ColumnSchema, path: JsonPath): readonly ColumnSchema[] {
  const { statistics } = path
  return path.types.map(type => ({
    name: pathExpression(column, path, type),
    type: briefJson(type),
    comment: '',
    ...(statistics && { statistics }),
  }))
}

/** Removes the `max_dynamic_…` limits from a JSON type inside an array. They make the type long, and SQL works without them. */
function briefJson(type: string): string {
  return type.replace(/JSON\(max_dynamic_types=\d+, max_dynamic_paths=\d+\)/g, 'JSON')
}
