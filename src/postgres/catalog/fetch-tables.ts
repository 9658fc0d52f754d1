import pg from 'pg'
import { z } from 'zod'
import { type CatalogColumn, type CatalogEntry, catalogColumn, catalogEntry } from '../../warehouse/catalog/entry.ts'
import type { ListedTable } from '../../warehouse/catalog/listed-table.ts'
import { markDerived, type PrivateColumnTest } from '../../warehouse/private-columns.ts'
import type { PostgresTypes } from '../values/postgres-types.ts'
import { nullable } from '../values/value-form.ts'
import { askAboutTables, type CatalogAsk } from './ask-catalog.ts'

/** Only columns that the role may read, so a column-wise grant hides the others. */
const COLUMNS = `
SELECT pg_catalog.json_agg(pg_catalog.json_build_object('name', a.attname, 'typeId', a.atttypid::int8, 'modifier', a.atttypmod,
    'nativeType', pg_catalog.format_type(a.atttypid, a.atttypmod), 'isNotNull', a.attnotnull,
    'comment', COALESCE(pg_catalog.col_description(c.oid, a.attnum), ''),
    'computed', CASE WHEN a.attgenerated <> '' THEN pg_catalog.json_build_object('kind', CASE a.attgenerated WHEN 'v' THEN 'ALIAS' ELSE 'MATERIALIZED' END,
      'expression', COALESCE(pg_catalog.pg_get_expr(d.adbin, d.adrelid), '')) END,
    'labels', (SELECT pg_catalog.array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum AS e
      WHERE e.enumtypid = a.atttypid),
    'bytes', GREATEST(c.reltuples, 0)::float8 * COALESCE((SELECT pg_catalog.max(s.avg_width) FROM pg_catalog.pg_stats AS s
      WHERE s.schemaname = c.database AND s.tablename = c.name AND s.attname = a.attname), 0),
    'inPartitionKey', EXISTS (SELECT FROM pg_catalog.pg_partitioned_table AS p WHERE p.partrelid = c.oid AND a.attnum = ANY(p.partattrs)))
  ORDER BY a.attnum)
FROM pg_catalog.pg_attribute AS a LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')`

/** Only foreign keys that hold for every row: one that was not validated, or is not enforced, promises nothing. */
const REFERENCES = `
SELECT pg_catalog.json_agg(pg_catalog.json_build_object('columns', ${namesOf('k.conrelid', 'k.conkey')},
  'table', pg_catalog.json_build_object('database', n.nspname, 'name', r.relname),
  'tableColumns', ${namesOf('k.confrelid', 'k.confkey')}) ORDER BY k.conname)
FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS r ON r.oid = k.confrelid
  JOIN pg_catalog.pg_namespace AS n ON n.oid = r.relnamespace
WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.convalidated AND k.conparentid = 0`

/** The tables as the catalog keeps them, except for what the list or the program knows. */
const TABLES = `
SELECT c.database, c.name, pg_catalog.json_strip_nulls(pg_catalog.json_build_object('comment', COALESCE(pg_catalog.obj_description(c.oid, 'pg_class'), ''),
  'primaryKey', COALESCE((SELECT pg_catalog.array_to_string(${namesOf('c.oid', 'k.conkey')}, ', ')
    FROM pg_catalog.pg_constraint AS k WHERE k.conrelid = c.oid AND k.contype = 'p'), ''),
  'partitionKey', COALESCE(CASE WHEN c.relkind = 'p' THEN pg_catalog.pg_get_partkeydef(c.oid) END, ''),
  'viewDefinition', COALESCE(CASE WHEN c.relkind IN ('v', 'm') THEN pg_catalog.pg_get_viewdef(c.oid, true) END, ''),
  'columns', COALESCE((${COLUMNS}), '[]'), 'references', (${REFERENCES}))) AS detail
FROM c`

/** Returns SQL for the names of a relation's columns, in the order of their numbers. */
function namesOf(relation: string, numbers: string): string {
  return `(SELECT pg_catalog.array_agg(a.attname::text ORDER BY o.at) FROM pg_catalog.unnest(${numbers}) WITH ORDINALITY AS o(number, at)
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = ${relation} AND a.attnum = o.number)`
}

const columnSchema = catalogColumn.omit({ type: true }).extend({
  typeId: z.number(),
  modifier: z.number(),
  nativeType: z.string(),
  isNotNull: z.boolean(),
  labels: z.array(z.string()).optional(),
})
const fields = { comment: true, primaryKey: true, partitionKey: true, viewDefinition: true, references: true } as const
const tableSchema = catalogEntry.pick({ database: true, name: true }).extend({
  detail: catalogEntry.pick(fields).extend({ columns: z.array(columnSchema) }),
})
type TableRow = z.infer<typeof tableSchema>

export interface FetchDeps {
  readonly ask: CatalogAsk
  readonly types: PostgresTypes
  readonly isPrivate: PrivateColumnTest
  readonly now: () => number
}

/**
 * Fetches names, types, keys, comments and view definitions. Tables that were dropped in the meantime are missing.
 * @throws WarehouseError
 */
export async function fetchTables(
  deps: FetchDeps,
  listed: readonly ListedTable[],
  signal: AbortSignal,
): Promise<readonly CatalogEntry[]> {
  const rows: (readonly [ListedTable, TableRow])[] = []
  const asked = { nameOf: (table: ListedTable) => table, sql: TABLES, row: tableSchema }
  for await (const [table, row] of askAboutTables(deps.ask, listed, asked, signal)) if (row !== undefined) rows.push([table, row])
  const types = new Set(rows.flatMap(([, { detail }]) => detail.columns.map(({ typeId }) => typeId)))
  await deps.types.lookUp(deps.ask.connections, [...types], signal)
  return rows.map(([table, row]) => toEntry(table, row, deps))
}

function toEntry(listed: ListedTable, { database, name, detail }: TableRow, deps: FetchDeps): CatalogEntry {
  return {
    ...{ database, name, ...detail, settled: true, fetchedAt: deps.now() },
    ...{ fingerprint: listed.fingerprint, engine: listed.engine, rowsThen: listed.rows },
    ...{ sortingKey: '', samplingKey: '', engineColumns: [], ttl: '' },
    columns: markDerived(detail.columns.map(column => toColumn({ database, name }, column, deps))),
  }
}

function toColumn(
  table: { readonly database: string; readonly name: string },
  { typeId, modifier, isNotNull, labels, ...column }: z.infer<typeof columnSchema>,
  { types, isPrivate }: FetchDeps,
): CatalogColumn {
  const type = labels === undefined ? types.formOf(typeId, modifier).type() : enumType(labels)
  // A pattern may name a part of such a column's values, as in `customers.data.email`.
  const hasNamedParts = /^(?:jsonb?|hstore|xml)\b/.test(column.nativeType)
  const isHidden = isPrivate(table.database, table.name, column.name, hasNamedParts)
  return {
    ...column,
    type: isNotNull ? type : nullable(type),
    ...(labels !== undefined && { nativeType: `${column.nativeType} (${labels.map(pg.escapeLiteral).join(', ')})` }),
    ...(isHidden && { isPrivate: true }),
  }
}

function enumType(labels: readonly string[]): string {
  const bits = labels.length <= 127 ? 8 : 16
  return `Enum${bits}(${labels.map((label, at) => `'${label.replace(/[\\']/g, '\\$&')}' = ${at + 1}`).join(', ')})`
}
