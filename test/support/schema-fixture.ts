import type { ColumnSchema, Schema, TableSchema } from '../../src/warehouse/schema.ts'

/** Returns a minimal column with the given changes. */
export function columnOf(name: string, type: string, more: Partial<ColumnSchema> = {}): ColumnSchema {
  return { name, type, comment: '', ...more }
}

/** Returns a minimal table of `shop` with the given changes. */
export function tableOf(name: string, more: Partial<TableSchema> = {}): TableSchema {
  const keys = { primaryKey: '', sortingKey: '', partitionKey: '' }
  return { database: 'shop', name, engine: 'MergeTree', comment: '', ...keys, rows: 0, viewDefinition: '', columns: [], ...more }
}

/** Returns a schema of these tables. */
export function schemaOf(...tables: readonly TableSchema[]): Schema {
  const databases = [...new Set(tables.map(table => table.database))].map(name => ({ name, comment: '' }))
  return { tables, databases, serverVersion: '26.7.2.1', timeZone: 'UTC', fetchedAt: '2026-01-01T00:00:00.000Z' }
}
