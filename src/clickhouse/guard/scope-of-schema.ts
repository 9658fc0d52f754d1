import type { Schema } from '../schema.ts'
import type { GuardScope } from './sql-guard.ts'

/**
 * Everything that the schema shows may be queried, but for private columns and those that cannot be read at all; what it does not show does not exist.
 * @param databases the first is the current one
 */
export function scopeOfSchema(schema: Schema, databases: readonly string[]): GuardScope {
  const tables = schema.tables.map(table => {
    const readable = table.columns.filter(column => !column.isPrivate && column.computed?.kind !== 'EPHEMERAL')
    const restricted = table.columns.filter(column => column.isPrivate)
    const columns = { readable: namesOf(readable), restricted: namesOf(restricted) }
    return [`${table.database}.${table.name}`, columns] as const
  })
  return {
    database: databases[0] ?? 'default',
    tables: new Set(tables.map(([name]) => name)),
    columns: new Map(tables),
  }
}

function namesOf(columns: readonly { readonly name: string }[]): ReadonlySet<string> {
  return new Set(columns.map(({ name }) => name))
}
