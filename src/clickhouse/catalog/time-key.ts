import type { ColumnSchema, Schema, TableSchema } from '../schema.ts'
import { readColumnType } from './column-type.ts'

/** The column of time that a key of the table begins with, or that its partitions are made of; undefined where there is none that may be read. */
export function timeKey(table: TableSchema): ColumnSchema | undefined {
  const keys = [table.partitionKey, firstOfOrder(table)]
  return table.columns.find(
    ({ name, type, isPrivate }) => readColumnType(type).kind === 'time' && !isPrivate && keys.some(key => mentions(key, name)),
  )
}

export interface TimeColumn {
  readonly table: TableSchema
  readonly column: ColumnSchema
}

/** A column of time that may be read, by its name as `database.table.column`. */
export function timeColumn(name: string, { tables }: Schema): TimeColumn | undefined {
  return tables
    .flatMap(table => table.columns.map(column => ({ table, column })))
    .find(each => qualified(each) === name && readColumnType(each.column.type).kind === 'time' && !each.column.isPrivate)
}

/** `database.table.column`. */
export function qualified({ table, column }: TimeColumn): string {
  return `${table.database}.${table.name}.${column.name}`
}

/** What the table is sorted by first. */
export function firstOfOrder(table: TableSchema): string {
  return (table.sortingKey.split(',')[0] ?? '').trim()
}

/** Whether a key names a column. */
export function mentions(key: string, column: string): boolean {
  return new RegExp(`(?<![\\w.])${escaped(column)}(?![\\w.])`).test(key)
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
