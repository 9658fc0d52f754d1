import type { ColumnComputation, TableName } from '../../schema.ts'
import { quoteIdentifier } from '../quote-identifier.ts'

/** What of a table its joins are inferred from: the same of a cached entry and of a table of the schema. */
export interface JoinableTable extends TableName {
  readonly engine: string
  readonly comment: string
  readonly primaryKey: string
  readonly sortingKey: string
  readonly viewDefinition: string
  readonly columns: readonly JoinableColumn[]
}

export interface JoinableColumn {
  readonly name: string
  readonly type: string
  readonly comment: string
  readonly isPrivate?: boolean
  readonly computed?: ColumnComputation
}

/** The columns of a key as the server prints it; undefined where one of its parts is none (an expression, a column of another name). */
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

/** A type without what changes nothing about its values: LowCardinality, Nullable. */
export function bareType(type: string): string {
  const inner = /^(?:LowCardinality|Nullable)\((.*)\)$/s.exec(type)?.[1]
  return inner === undefined ? type : bareType(inner)
}

/** Types whose values can be equal: whole numbers of any width, texts, the same identifier. Others join nothing. */
export function keyFamily(type: string): string | undefined {
  const bare = bareType(type)
  if (/^U?Int\d+$/.test(bare)) return 'integer'
  if (bare === 'String') return 'text'
  return /^(UUID|IPv[46]|FixedString\(\d+\))$/.test(bare) ? bare : undefined
}
