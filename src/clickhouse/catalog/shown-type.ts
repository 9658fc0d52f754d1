import type { ColumnSchema } from '../schema.ts'

const ENUM_VALUES = /(Enum(?:8|16))\((?:[^'()]|'(?:[^'\\]|\\.)*')*\)/gs

/** A column's type for a reader. The type of an Enum is a list of its values: of a private one it stays closed. */
export function shownType(column: ColumnSchema): string {
  return column.isPrivate ? column.type.replace(ENUM_VALUES, '$1(…)') : column.type
}
