import { nearNames } from '../near-names.ts'
import type { Schema, TableSchema } from '../schema.ts'
import { qualifiedName } from '../table-names.ts'

export type TableMatch =
  | { readonly kind: 'found'; readonly table: TableSchema }
  /**
   * Several tables match: in different databases, or with names that differ only in case. The caller must ask which one is meant.
   */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly TableSchema[] }
  /** No table matches. `near` lists similar names as `database.table`, nearest first. */
  | { readonly kind: 'unknown'; readonly near: readonly string[] }

/**
 * Finds a table by its name. Tries these readings in turn: a table's name, `database.table`, a table's name in quotes, and the
 * same ignoring case.
 */
export function findTable(schema: Schema, name: string): TableMatch {
  const wanted = unquote(name)
  const readings = [
    schema.tables.filter(table => table.name === name),
    schema.tables.filter(table => qualifiedName(table) === wanted),
    schema.tables.filter(table => table.name === wanted),
    schema.tables.filter(table => isSame(qualifiedName(table), wanted)),
    schema.tables.filter(table => isSame(table.name, wanted)),
  ]
  const candidates = readings.find(tables => tables.length > 0) ?? []
  const [table] = candidates
  if (table === undefined) return { kind: 'unknown', near: nearTables(schema, wanted) }
  return candidates.length === 1 ? { kind: 'found', table } : { kind: 'ambiguous', candidates }
}

function nearTables(schema: Schema, wanted: string): readonly string[] {
  const bare = wanted.slice(wanted.lastIndexOf('.') + 1)
  const near = nearNames(
    bare,
    schema.tables.map(table => table.name),
  )
  return near.flatMap(name => schema.tables.filter(table => table.name === name).map(qualifiedName)).slice(0, 3)
}

function unquote(name: string): string {
  return name.trim().replace(/[`"]/g, '')
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}
