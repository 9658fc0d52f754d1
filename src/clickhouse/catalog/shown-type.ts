import type { ColumnSchema } from '../schema.ts'

/** A column's type for a reader. The type of an Enum is a list of its values: of a private one it stays closed. */
export function shownType(column: ColumnSchema): string {
  return column.isPrivate ? column.type.replace(/(Enum(?:8|16))\(.*\)/s, '$1(…)') : column.type
}
