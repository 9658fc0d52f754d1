import { RETRIEVAL_LIMITS } from '../limits.ts'
import type { TableSchema } from '../schema.ts'
import { readColumnType } from '../sql/column-type.ts'

/** The searchable text of a table. It consists of plain strings, which are cheap to send to another thread. */
export interface TableText {
  readonly database: string
  readonly name: string
  readonly comment: string
  /** The names of all columns, from first to last, separated by spaces. */
  readonly columns: string
  readonly columnComments: string
  /** The known values of the table's columns, in one string. */
  readonly values: string
  readonly viewDefinition: string
  readonly rows: number | null
}

export function indexedText({ database, name, comment, columns, viewDefinition, rows }: TableSchema): TableText {
  const readable = columns.filter(column => !column.isPrivate)
  return {
    ...{ database, name, comment, rows },
    columns: columns
      .flatMap(({ name, paths = [] }) => [name, ...paths.map(({ path }) => path)].map(each => each.replaceAll(' ', '_')))
      .join(' '),
    columnComments: cut(readable.map(column => column.comment).filter(text => text !== '')),
    values: cut(readable.flatMap(({ type, statistics }) => valuesOf(type, statistics?.samples ?? []))),
    viewDefinition: viewDefinition.slice(0, RETRIEVAL_LIMITS.textCharacters),
  }
}

function valuesOf(type: string, samples: readonly string[]): readonly string[] {
  const values = samples.length > 0 ? samples : type.includes('Enum') ? readColumnType(type).enumValues : []
  return values.slice(0, RETRIEVAL_LIMITS.values)
}

function cut(texts: readonly string[]): string {
  return texts.join(' ').slice(0, RETRIEVAL_LIMITS.textCharacters)
}
