import { SCHEMA_PROMPT_LIMITS } from '../limits.ts'
import type { ColumnSchema, JsonPath, TableName } from '../schema.ts'
import { cutCharacters, sqlColumnName, sqlName } from '../sql/plain-text.ts'

/** Returns `database.table` as SQL writes it, cut if it is very long. */
export function shownTableName(table: TableName): string {
  return `${sqlName(table.database)}.${shortTableName(table)}`
}

/** Returns the table's name as SQL writes it, without its database. */
export function shortTableName({ name }: TableName): string {
  return cutCharacters(sqlName(name), SCHEMA_PROMPT_LIMITS.nameCharacters)
}

export function columnName({ name }: { readonly name: string }): string {
  return cutCharacters(sqlColumnName(name), SCHEMA_PROMPT_LIMITS.nameCharacters)
}

/** Returns the SQL expression for the values of one type at a JSON path: `data.user.age.:Int64`. */
export function pathExpression({ name }: { readonly name: string }, { path }: JsonPath, type: string): string {
  const names = [name, ...path.split('.')].map(sqlName)
  return `${names.join('.')}.:${sqlName(briefJson(type))}`
}

/** Returns a JSON path as columns, one for each type of its values. Each column's name is an SQL expression. */
export function pathColumns(column: ColumnSchema, path: JsonPath): readonly ColumnSchema[] {
  const { statistics } = path
  return path.types.map(type => ({
    name: pathExpression(column, path, type),
    type: briefJson(type),
    comment: '',
    ...(statistics && { statistics }),
  }))
}

/** Removes the limits from a JSON type inside an array. The name of a subcolumn may leave out such limits. */
function briefJson(type: string): string {
  return type.replace(/JSON\(max_dynamic_types=\d+, max_dynamic_paths=\d+\)/g, 'JSON')
}
