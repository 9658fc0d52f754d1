import type { ColumnComputation, DeclaredReference, TableName } from '../schema.ts'
import { quoteIdentifier } from '../sql/quote-identifier.ts'

/** The facts about a table that a search for joins needs. Catalog entries and schema tables both have them. */
export interface JoinableTable extends TableName {
  readonly engine: string
  readonly comment: string
  readonly primaryKey: string
  readonly sortingKey: string
  readonly viewDefinition: string
  readonly references?: readonly DeclaredReference[] | undefined
  readonly columns: readonly JoinableColumn[]
}

export interface JoinableColumn {
  readonly name: string
  readonly type: string
  readonly comment: string
  readonly isPrivate?: boolean
  readonly computed?: ColumnComputation
}

/**
 * Returns the columns by which the table's rows are sorted. A table without a sorting key may have a primary key instead, which
 * identifies its rows.
 */
export function rowKey<Column extends JoinableColumn>(
  table: Pick<JoinableTable, 'primaryKey' | 'sortingKey'>,
  columns: readonly Column[],
): { readonly columns: readonly Column[] | undefined; readonly isUnique: boolean } {
  const isUnique = table.sortingKey === ''
  return { columns: keyColumns(isUnique ? table.primaryKey : table.sortingKey, columns), isUnique }
}

/**
 * Parses a key in the server's spelling, such as `day, user_id`, and returns its columns. Returns undefined if a part of the key
 * is an expression or an unknown column.
 */
export function keyColumns<Column extends JoinableColumn>(
  key: string,
  columns: readonly Column[],
): readonly Column[] | undefined {
  if (key === '') return undefined
  const found = key
    .split(', ')
    .map(part => columns.find(({ name }) => name === part) ?? columns.find(({ name }) => quoteIdentifier(name) === part))
  return found.every(column => column !== undefined) ? found : undefined
}

/** Removes LowCardinality and Nullable around a type: `LowCardinality(String)` becomes `String`. */
export function bareType(type: string): string {
  const inner = /^(?:LowCardinality|Nullable)\((.*)\)$/s.exec(type)?.[1]
  return inner === undefined ? type : bareType(inner)
}

/**
 * Returns a common name for all types whose values can be equal, such as 'integer' for integers of any width. Returns undefined
 * for a type that is never joined.
 */
export function keyFamily(type: string): string | undefined {
  const bare = bareType(type)
  if (/^U?Int\d+$/.test(bare)) return 'integer'
  if (bare === 'String') return 'text'
  return /^(UUID|IPv[46]|FixedString\(\d+\))$/.test(bare) ? bare : undefined
}
