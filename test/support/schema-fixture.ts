import type { ColumnSchema, Schema, TableSchema } from '../../src/warehouse/schema.ts'

/** Returns a column with only a name and a type. `more` adds to it or replaces parts. */
export function columnOf(name: string, type: string, more: Partial<ColumnSchema> = {}): ColumnSchema {
  return { name, type, comment: '', ...more }
}

/** Returns a table in the database `shop` with few facts. `more` adds to it or replaces parts. */
export function tableOf(name: string, more: Partial<TableSchema> = {}): TableSchema {
  const keys = { primaryKey: '', sortingKey: '', partitionKey: '' }
  return { database: 'shop', name, engine: 'MergeTree', comment: '', ...keys, rows: 0, viewDefinition: '', columns: [], ...more }
}

/** Returns a schema that contains these tables. */
export function schemaOf(...tables: readonly TableSchema[]): Schema {
  const databases = [...new Set(tables.map(table => table.database))].map(name => ({ name, comment: '' }))
  return { tables, databases, serverVersion: '26.7.2.1', timeZone: 'UTC', fetchedAt: '2026-01-01T00:00:00.000Z' }
}
