import type { ColumnSchema, Schema, TableSchema } from '../schema.ts'
import { readColumnType } from '../sql/column-type.ts'

/**
 * Returns a time column by which a query can select a period cheaply. It partitions the table, or comes first in the sorting key.
 * Returns undefined if there is none, or if it is private.
 */
export function timeKey(table: TableSchema): ColumnSchema | undefined {
  const keys = [table.partitionKey, firstOfOrder(table)]
  return table.columns.find(
    ({ name, type, isPrivate }) => readColumnType(type).kind === 'time' && !isPrivate && keys.some(key => mentions(key, name)),
  )
}

export interface TableColumn {
  readonly table: TableSchema
  readonly column: ColumnSchema
}

/** Finds a readable time column by its full name, `database.table.column`. */
export function timeColumn(name: string, { tables }: Schema): TableColumn | undefined {
  return tables
    .flatMap(table => table.columns.map(column => ({ table, column })))
    .find(each => qualified(each) === name && readColumnType(each.column.type).kind === 'time' && !each.column.isPrivate)
}

/** Returns the full name of a column: `database.table.column`. */
export function qualified({ table, column }: TableColumn): string {
  return `${table.database}.${table.name}.${column.name}`
}

/** Returns the first expression of the sorting key: `day` for `day, id`. */
export function firstOfOrder(table: TableSchema): string {
  return (table.sortingKey.split(',')[0] ?? '').trim()
}

export function mentions(key: string, column: string): boolean {
  return new RegExp(`(?<![\\w.])${escaped(column)}(?![\\w.])`).test(key)
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
