import type { TableName } from '../schema.ts'
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
