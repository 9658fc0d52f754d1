import type { ColumnSchema } from '../schema.ts'

const ENUM_VALUES = /(Enum(?:8|16))\((?:[^'()]|'(?:[^'\\]|\\.)*')*\)/gs

/**
 * Returns a column's type for people and models, in the server's own spelling. An Enum type lists its values, so the list is left
 * out for a private column.
 */
export function shownType(column: ColumnSchema): string {
  const { nativeType } = column
  if (nativeType !== undefined) return column.isPrivate ? nativeType.replace(/\(.*/s, '') : nativeType
  return column.isPrivate ? column.type.replace(ENUM_VALUES, '$1(…)') : column.type
}
