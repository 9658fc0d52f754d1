import type { ColumnSchema } from '../schema.ts'

const ENUM_VALUES = /(Enum(?:8|16))\((?:[^'()]|'(?:[^'\\]|\\.)*')*\)/gs

/** Returns a column's type for a reader. An Enum lists its values, so a private Enum is abbreviated. */
export function shownType(column: ColumnSchema): string {
  return column.isPrivate ? column.type.replace(ENUM_VALUES, '$1(…)') : column.type
}
