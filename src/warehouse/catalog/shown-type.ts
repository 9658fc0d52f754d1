import type { ColumnSchema } from '../schema.ts'

const ENUM_VALUES = /(Enum(?:8|16))\((?:[^'()]|'(?:[^'\\]|\\.)*')*\)/gs

/** Returns a column's type for people and models. An Enum type lists its values, so the list is left out for a private column. */
export function shownType(column: ColumnSchema): string {
  return column.isPrivate ? column.type.replace(ENUM_VALUES, '$1(…)') : column.type
}
