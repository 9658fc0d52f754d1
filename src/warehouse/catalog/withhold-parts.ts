import type { ColumnSchema, SchemaPart, TableSchema } from '../schema.ts'

/** The parts of a schema that a prompt can leave out. Evaluations leave out one part at a time to measure how much it helps. */
export const SCHEMA_PARTS = [
  'types',
  'comments',
  'samples',
  'ranges',
  'row_counts',
  'keys',
  'views',
  'joins',
  'engine_notes',
] as const satisfies readonly SchemaPart[]

/**
 * Returns a table without the given parts. If `parts` contains `types`, `keys`, `joins` or `engine_notes`, the renderer must
 * leave these out: each combines several facts of a table.
 */
export function withholdParts(table: TableSchema, parts: ReadonlySet<SchemaPart>): TableSchema {
  if (parts.size === 0) return table
  return {
    ...table,
    ...(parts.has('comments') && { comment: '' }),
    ...(parts.has('row_counts') && { rows: null }),
    ...(parts.has('views') && { viewDefinition: '' }),
    columns: table.columns.map(column => withholdOfColumn(column, parts)),
  }
}

function withholdOfColumn(column: ColumnSchema, parts: ReadonlySet<SchemaPart>): ColumnSchema {
  const { paths } = column
  return {
    ...withholdOfValues(column, parts),
    ...(parts.has('comments') && { comment: '' }),
    ...(paths && { paths: paths.map(path => withholdOfValues(path, parts)) }),
  }
}

function withholdOfValues<Part extends Pick<ColumnSchema, 'statistics'>>(part: Part, parts: ReadonlySet<SchemaPart>): Part {
  const { statistics } = part
  if (statistics === undefined) return part
  const withheld = { ...(parts.has('samples') && { samples: [] }), ...(parts.has('ranges') && { min: null, max: null }) }
  return { ...part, statistics: { ...statistics, ...withheld } }
}
