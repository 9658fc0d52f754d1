import { memoizePerObject } from '../base/memoize.ts'
import type { Schema, TableSchema } from './schema.ts'
import { splitTokens } from './sql/sql-tokens.ts'
import type { GuardScope, ScopeColumns } from './sql-guard.ts'

/**
 * Returns the scope for the SQL guard: queries may use every table and column of the schema, except private and unreadable
 * columns.
 * @param databases the first one is the current database
 * @param only if set, queries may use only these tables, as `database.table`
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

/**
 * Engines of views, and of tables with rows of their own. They have no virtual columns, such as `_table`, that reveal other
 * tables.
 */
const OWN_ROWS = /MergeTree$|^(?:Memory|Log|TinyLog|StripeLog|View|MaterializedView|Dictionary)$/

/** Every query needs this result, so it is cached for each table. */
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
 * Returns those of the given tables that a view's definition reads. The server writes each table in the definition as
 * `database.table`.
 */
function tablesNamedIn(definition: string, tables: ReadonlySet<string>): readonly string[] {
  const tokens = splitTokens(definition) ?? []
  const named = tokens.map(({ value }, at) => (tokens[at + 1]?.text === '.' ? `${value}.${tokens[at + 2]?.value}` : value))
  return [...new Set(named)].filter(name => tables.has(name))
}

function namesOf(columns: readonly { readonly name: string }[]): ReadonlySet<string> {
  return new Set(columns.map(({ name }) => name))
}
