import type { ColumnSchema, Schema, TableSchema } from '../clickhouse/schema.ts'
import { HiddenNames } from './hidden-names.ts'
import { isGranted, type TableGrant } from './table-grant.ts'

/** A schema as somebody may see it, with what it was taken from. */
export interface NarrowedSchema {
  readonly whole: Schema
  readonly schema: Schema
  readonly hidden: HiddenNames
}

/**
 * The tables of some grants, and not a word of any other: what a view is made of stays behind it, and texts that name a table which is not granted are left
 * out.
 */
export function narrowSchema(whole: Schema, grants: readonly TableGrant[]): NarrowedSchema {
  const visible = whole.tables.filter(table => isGranted(grants, table))
  const granted = new Set(visible)
  const hidden = new HiddenNames(
    whole.tables.filter(table => !granted.has(table)),
    visible,
  )
  const databases = whole.databases
    .filter(({ name }) => visible.some(table => table.database === name))
    .map(({ name, comment }) => ({ name, comment: hidden.without(comment) }))
  return { whole, hidden, schema: { ...whole, databases, tables: visible.map(table => narrowTable(table, hidden)) } }
}

function narrowTable(table: TableSchema, hidden: HiddenNames): TableSchema {
  return {
    ...table,
    comment: hidden.without(table.comment),
    viewDefinition: '',
    columns: table.columns.map(column => narrowColumn(column, hidden)),
  }
}

function narrowColumn(column: ColumnSchema, hidden: HiddenNames): ColumnSchema {
  const { computed } = column
  const comment = hidden.without(column.comment)
  return computed === undefined
    ? { ...column, comment }
    : { ...column, comment, computed: { ...computed, expression: hidden.without(computed.expression) } }
}
