import type { ColumnSchema, JsonPath, TableName } from '../schema.ts'
import { cutCharacters, sqlColumnName, sqlName } from './plain-text.ts'

const NAME_CHARACTERS = 300

/** `database.table` as SQL would have it, cut where it is endless. */
export function tableName(table: TableName): string {
  return `${sqlName(table.database)}.${shortTableName(table)}`
}

/** Without the database. */
export function shortTableName({ name }: TableName): string {
  return cutCharacters(sqlName(name), NAME_CHARACTERS)
}

export function columnName({ name }: { readonly name: string }): string {
  return cutCharacters(sqlColumnName(name), NAME_CHARACTERS)
}

/** How SQL reads a path of a JSON column as a type that its values have: `data.user.age.:Int64`. */
export function pathExpression({ name }: { readonly name: string }, { path }: JsonPath, type: string): string {
  const names = [name, ...path.split('.')].map(sqlName)
  return `${names.join('.')}.:${sqlName(briefJson(type))}`
}

/** A path as a column that is called as it is written, one for each of its types. */
export function pathColumns(column: ColumnSchema, path: JsonPath): readonly ColumnSchema[] {
  const { statistics } = path
  return path.types.map(type => ({
    name: pathExpression(column, path, type),
    type: briefJson(type),
    comment: '',
    ...(statistics && { statistics }),
  }))
}

/** The JSON within an array has limits of its own, which its name may leave out. */
function briefJson(type: string): string {
  return type.replace(/JSON\(max_dynamic_types=\d+, max_dynamic_paths=\d+\)/g, 'JSON')
}
