import { inSlices } from '../base/slices.ts'
import type { ColumnSchema, Schema, TableName, TableSchema } from '../warehouse/schema.ts'
import { HiddenNames } from './hidden-names.ts'
import { accessKey, type RunAccess } from './run-access.ts'
import { isGranted, type TableGrant } from './table-grant.ts'

/** The part of a schema that the asker may see, and the whole schema. */
export interface NarrowedSchema {
  readonly whole: Schema
  readonly schema: Schema
  readonly hidden: HiddenNames
}

/**
 * Limits a schema to the granted tables. Removes texts that name a hidden table, and definitions of views that read a hidden
 * table. Yields after each table, so that `inSlices` can pause the work.
 */
export function* narrowSchema(whole: Schema, grants: readonly TableGrant[]): Generator<void, NarrowedSchema> {
  const visible: TableSchema[] = []
  const others: TableSchema[] = []
  for (const table of whole.tables) {
    if (isGranted(grants, table)) visible.push(table)
    else others.push(table)
    yield
  }
  const hidden = new HiddenNames(others, visible)
  yield
  const inUse = new Set(visible.map(({ database }) => database))
  const databases = whole.databases
    .filter(({ name }) => inUse.has(name))
    .map(({ name, comment }) => ({ name, comment: hidden.without(comment) }))
  const names = new Set(visible.map(tableKey))
  const isVisible = (table: TableName) => names.has(tableKey(table))
  const tables: TableSchema[] = []
  for (const table of visible) {
    tables.push(narrowTable(table, hidden, isVisible))
    yield
  }
  return { whole, hidden, schema: { ...whole, databases, tables } }
}

/**
 * Returns a function that narrows schemas. The function caches each result by rights, because narrowing a large catalog takes a
 * tenth of a second. For the same rights, it returns the same object until the schema changes.
 */
export function rememberingNarrower(): (whole: Schema, access: RunAccess) => Promise<NarrowedSchema> {
  const known = new WeakMap<Schema, Map<string, Promise<NarrowedSchema>>>()
  return (whole, access) => {
    const ofSchema = known.get(whole) ?? new Map<string, Promise<NarrowedSchema>>()
    known.set(whole, ofSchema)
    const key = accessKey(access)
    const narrowed = ofSchema.get(key) ?? inSlices(narrowSchema(whole, access.grants))
    ofSchema.set(key, narrowed)
    return narrowed
  }
}

function narrowTable(table: TableSchema, hidden: HiddenNames, isVisible: (table: TableName) => boolean): TableSchema {
  const { linked, overlaps, references, ...rest } = table
  const visibleOverlaps = overlaps?.filter(overlap => isVisible(overlap.table)) ?? []
  const visibleReferences = references?.filter(reference => isVisible(reference.table)) ?? []
  return {
    ...rest,
    comment: hidden.without(table.comment),
    viewDefinition: '',
    columns: table.columns.map(column => narrowColumn(column, hidden)),
    ...(linked !== undefined && isVisible(linked) && { linked }),
    ...(visibleOverlaps.length > 0 && { overlaps: visibleOverlaps }),
    ...(visibleReferences.length > 0 && { references: visibleReferences }),
  }
}

function tableKey({ database, name }: TableName): string {
  return `${database}\0${name}`
}

function narrowColumn(column: ColumnSchema, hidden: HiddenNames): ColumnSchema {
  const { computed } = column
  const comment = hidden.without(column.comment)
  const expression = hidden.without(computed?.expression ?? '')
  if (comment === column.comment && expression === (computed?.expression ?? '')) return column
  return { ...column, comment, ...(computed && { computed: { ...computed, expression } }) }
}
