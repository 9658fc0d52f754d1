import type { TableSchema } from '../../schema.ts'
import { readColumnType } from '../column-type.ts'

/** Values of a column that help to find its table: more of them are a list of names, which say little of what the table is about. */
const VALUES = 12
const TEXT_CHARACTERS = 2_000

/** What of a table is searched. Plain texts, which are cheap to hand to a thread. */
export interface TableText {
  readonly database: string
  readonly name: string
  readonly comment: string
  /** Names in their order, with a blank between. */
  readonly columns: string
  readonly columnComments: string
  /** Values that columns are known to have. */
  readonly values: string
  readonly viewDefinition: string
  readonly rows: number | null
}

export function tableText({ database, name, comment, columns, viewDefinition, rows }: TableSchema): TableText {
  const readable = columns.filter(column => !column.isPrivate)
  return {
    ...{ database, name, comment, rows },
    columns: columns
      .flatMap(({ name, paths = [] }) => [name, ...paths.map(({ path }) => path)].map(each => each.replaceAll(' ', '_')))
      .join(' '),
    columnComments: cut(readable.map(column => column.comment).filter(text => text !== '')),
    values: cut(readable.flatMap(({ type, statistics }) => valuesOf(type, statistics?.samples ?? []))),
    viewDefinition: viewDefinition.slice(0, TEXT_CHARACTERS),
  }
}

function valuesOf(type: string, samples: readonly string[]): readonly string[] {
  const values = samples.length > 0 ? samples : type.includes('Enum') ? readColumnType(type).enumValues : []
  return values.slice(0, VALUES)
}

function cut(texts: readonly string[]): string {
  return texts.join(' ').slice(0, TEXT_CHARACTERS)
}
