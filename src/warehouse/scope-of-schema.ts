import { memoizePerObject } from '../base/memoize.ts'
import type { Schema, TableSchema } from './schema.ts'
import { splitTokens } from './sql/sql-tokens.ts'
import type { GuardScope, ScopeColumns } from './sql-guard.ts'

/**
 * Returns the guard scope of a schema. It allows every table and column of the schema, except private and unreadable columns. The
 * guard rejects every other table and column.
 * @param databases the first one is the current database
 * @param only if set, allows only these tables, as `database.table`
 */
export function scopeOfSchema(schema: Schema, databases: readonly string[], only?: ReadonlySet<string>): GuardScope {
  const isIn = (table: TableSchema) => only === undefined || only.has(`${table.database}.${table.name}`)
  const tables = schema.tables.filter(isIn).map(table => [`${table.database}.${table.name}`, columnsOf(table)] as const)
  const names = new Set(tables.map(([name]) => name))
  const views = schema.tables
    .filter(table => !isIn(table))
    .map(view => [`${view.database}.${view.name}`, tablesNamedIn(view.viewDefinition, names)] as const)
  return { database: databases[0] ?? 'default', tables: names, columns: new Map(tables), views: new Map(views) }
}

/** Engines of tables with rows of their own, and of views. Such tables have no virtual columns that reveal other tables. */
const OWN_ROWS = /MergeTree$|^(?:Memory|Log|TinyLog|StripeLog|View|MaterializedView|Dictionary)$/

/** The result is cached for each table, because every query needs it. */
const columnsOf = memoizePerObject(({ columns, engine }: TableSchema): ScopeColumns => {
  const readable = columns.filter(column => !column.isPrivate && column.computed?.kind !== 'EPHEMERAL')
  const restricted = columns.filter(column => column.isPrivate)
  const byNameOnly = columns.filter(({ computed }) => computed?.kind === 'ALIAS' || computed?.kind === 'MATERIALIZED')
  return {
    readable: namesOf(readable),
    restricted: namesOf(restricted),
    byNameOnly: namesOf(byNameOnly),
    areForeign: !OWN_ROWS.test(engine),
  }
})

/**
 * Returns those of the given tables that a view's definition names. The server adds the database to each table in the definition.
 */
function tablesNamedIn(definition: string, tables: ReadonlySet<string>): readonly string[] {
  const tokens = splitTokens(definition) ?? []
  const named = tokens.map(({ value }, at) => (tokens[at + 1]?.text === '.' ? `${value}.${tokens[at + 2]?.value}` : value))
  return [...new Set(named)].filter(name => tables.has(name))
}

function namesOf(columns: readonly { readonly name: string }[]): ReadonlySet<string> {
  return new Set(columns.map(({ name }) => name))
}
