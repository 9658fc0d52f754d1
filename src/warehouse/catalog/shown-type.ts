import type { ColumnSchema } from '../schema.ts'

const ENUM_VALUES = /(Enum(?:8|16))\((?:[^'()]|'(?:[^'\\]|\\.)*')*\)/gs

/**
 * Returns a column's type for people and models. An Enum type contains its values, so the type of a private Enum is shortened.
 */
export function shownType(column: ColumnSchema): string {
  return column.isPrivate ? column.type.replace(ENUM_VALUES, '$1(…)') : column.type
}
