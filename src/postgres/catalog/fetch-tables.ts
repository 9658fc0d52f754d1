import pg from 'pg'
import { z } from 'zod'
import type { CatalogColumn, CatalogEntry } from '../../warehouse/catalog/entry.ts'
import { byTable, type ListedTable, tableKey } from '../../warehouse/catalog/listed-table.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import { markDerived, type PrivateColumnTest } from '../../warehouse/private-columns.ts'
import type { PostgresTypes } from '../values/postgres-types.ts'
import { askCatalog, type CatalogAsk } from './ask-catalog.ts'

/** The relations of one fetch: `$1` has their schemas, and `$2` their names in the same order. */
const WANTED = `
  SELECT c.oid, n.nspname AS database, c.relname AS name, c.relkind, c.reltuples
  FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) AS w(database, name)
  JOIN pg_catalog.pg_namespace AS n ON n.nspname = w.database
  JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = w.name`

const TABLES = `
WITH c AS (${WANTED})
SELECT c.database, c.name, pg_catalog.obj_description(c.oid, 'pg_class') AS comment,
  (SELECT pg_catalog.array_agg(a.attname::text ORDER BY o.at) FROM pg_catalog.pg_constraint AS k
    CROSS JOIN LATERAL pg_catalog.unnest(k.conkey) WITH ORDINALITY AS o(number, at)
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = o.number
    WHERE k.conrelid = c.oid AND k.contype = 'p') AS "primaryKey",
  CASE WHEN c.relkind = 'p' THEN pg_catalog.pg_get_partkeydef(c.oid) END AS "partitionKey",
  CASE WHEN c.relkind IN ('v', 'm') THEN pg_catalog.pg_get_viewdef(c.oid, true) END AS "viewDefinition"
FROM c`

/** Only columns that the role may read, so a column-wise grant hides the others. */
const COLUMNS = `
WITH c AS (${WANTED})
SELECT c.database, c.name AS table, a.attname AS name, a.atttypid::int8::text AS type, a.atttypmod AS modifier,
  pg_catalog.format_type(a.atttypid, a.atttypmod) AS "nativeType", a.attnotnull AS "isNotNull",
  pg_catalog.col_description(c.oid, a.attnum) AS comment, a.attgenerated::text AS generated,
  CASE WHEN a.attgenerated <> '' THEN pg_catalog.pg_get_expr(d.adbin, d.adrelid) END AS expression,
  (SELECT pg_catalog.array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum AS e
    WHERE e.enumtypid = a.atttypid) AS labels,
  (SELECT pg_catalog.max(s.avg_width) FROM pg_catalog.pg_stats AS s
    WHERE s.schemaname = c.database AND s.tablename = c.name AND s.attname = a.attname)::float8 AS width,
  GREATEST(c.reltuples, 0)::float8 AS rows,
  EXISTS (SELECT FROM pg_catalog.pg_partitioned_table AS p WHERE p.partrelid = c.oid AND a.attnum = ANY(p.partattrs)) AS "inPartitionKey"
FROM c JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')
ORDER BY c.database, c.name, a.attnum`

/** Only foreign keys that hold for every row: one that was not validated, or is not enforced, promises nothing. */
const REFERENCES = `
WITH c AS (${WANTED})
SELECT c.database, c.name AS table, n.nspname AS "toDatabase", r.relname AS "toTable",
  (SELECT pg_catalog.array_agg(a.attname::text ORDER BY o.at) FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY AS o(number, at)
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = o.number) AS columns,
  (SELECT pg_catalog.array_agg(a.attname::text ORDER BY o.at) FROM pg_catalog.unnest(k.confkey) WITH ORDINALITY AS o(number, at)
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.confrelid AND a.attnum = o.number) AS "tableColumns"
FROM c JOIN pg_catalog.pg_constraint AS k ON k.conrelid = c.oid AND k.contype = 'f' AND k.convalidated AND k.conparentid = 0
JOIN pg_catalog.pg_class AS r ON r.oid = k.confrelid JOIN pg_catalog.pg_namespace AS n ON n.oid = r.relnamespace
ORDER BY c.database, c.name, k.conname`

const text = z
  .string()
  .nullable()
  .transform(value => value ?? '')
const names = z.array(z.string())
const tableRow = z.object({
  database: z.string(),
  name: z.string(),
  comment: text,
  primaryKey: names.nullable().transform(columns => (columns ?? []).join(', ')),
  partitionKey: text,
  viewDefinition: text,
})
const columnRow = z.object({
  database: z.string(),
  table: z.string(),
  name: z.string(),
  type: z.coerce.number(),
  modifier: z.number(),
  nativeType: z.string(),
  isNotNull: z.boolean(),
  comment: text,
  generated: z.string(),
  expression: text,
  labels: names.nullable(),
  width: z.number().nullable(),
  rows: z.number(),
  inPartitionKey: z.boolean(),
})
const referenceRow = z.object({
  database: z.string(),
  table: z.string(),
  toDatabase: z.string(),
  toTable: z.string(),
  columns: names,
  tableColumns: names,
})

type ColumnRow = z.infer<typeof columnRow>

export interface FetchDeps {
  readonly ask: CatalogAsk
  readonly types: PostgresTypes
  readonly isPrivate: PrivateColumnTest
  readonly now: () => number
}

/**
 * Fetches names, types, keys, comments and view definitions, with three queries per 200 tables. Tables that were dropped in the
 * meantime are missing.
 * @throws WarehouseError
 */
export async function fetchTables(
  deps: FetchDeps,
  listed: readonly ListedTable[],
  signal: AbortSignal,
): Promise<readonly CatalogEntry[]> {
  const entries: CatalogEntry[] = []
  for (let start = 0; start < listed.length; start += CATALOG_LIMITS.tablesPerFetch) {
    entries.push(...(await fetchSome(deps, listed.slice(start, start + CATALOG_LIMITS.tablesPerFetch), signal)))
  }
  return entries
}

async function fetchSome(deps: FetchDeps, listed: readonly ListedTable[], signal: AbortSignal): Promise<readonly CatalogEntry[]> {
  const { ask, types } = deps
  const wanted = [listed.map(table => table.database), listed.map(table => table.name)]
  const [tables, columns, references] = await Promise.all([
    askCatalog(ask, TABLES, wanted, tableRow, signal),
    askCatalog(ask, COLUMNS, wanted, columnRow, signal),
    askCatalog(ask, REFERENCES, wanted, referenceRow, signal),
  ])
  await types.lookUp(ask.connections, [...new Set(columns.map(({ type }) => type))], signal)
  const details = new Map(tables.map(row => [tableKey(row), row]))
  const columnsOf = byTable(columns)
  const referencesOf = byTable(references)
  return listed.flatMap(table => {
    const detail = details.get(tableKey(table))
    if (detail === undefined) return []
    const own = (columnsOf.get(tableKey(table)) ?? []).map(row => toColumn(row, deps))
    const declared = (referencesOf.get(tableKey(table)) ?? []).map(row => ({
      columns: row.columns,
      table: { database: row.toDatabase, name: row.toTable },
      tableColumns: row.tableColumns,
    }))
    return [
      {
        ...detail,
        fingerprint: table.fingerprint,
        settled: true,
        fetchedAt: deps.now(),
        engine: table.engine,
        sortingKey: '',
        samplingKey: '',
        engineColumns: [],
        ttl: '',
        columns: markDerived(own),
        rowsThen: table.rows,
        ...(declared.length > 0 && { references: declared }),
      },
    ]
  })
}

function toColumn(row: ColumnRow, { types, isPrivate }: FetchDeps): CatalogColumn {
  const { database, table, name, comment, labels, inPartitionKey } = row
  const type = labels === null ? types.formOf(row.type, row.modifier).type() : enumType(labels)
  const isBare = row.isNotNull || type.startsWith('Array(')
  return {
    name,
    type: isBare ? type : `Nullable(${type})`,
    nativeType: labels === null ? row.nativeType : `${row.nativeType} (${labels.map(pg.escapeLiteral).join(', ')})`,
    comment,
    ...(row.generated !== '' && {
      computed: { kind: row.generated === 'v' ? ('ALIAS' as const) : ('MATERIALIZED' as const), expression: row.expression },
    }),
    ...(isPrivate(database, table, name, hasNamedParts(row.nativeType)) && { isPrivate: true }),
    bytes: (row.width ?? 0) * row.rows,
    inPartitionKey,
  }
}

/** Whether a pattern may name a part of the column's values, such as `customers.data.email`. */
function hasNamedParts(nativeType: string): boolean {
  return /^(?:jsonb?|hstore|xml)\b/.test(nativeType)
}

function enumType(labels: readonly string[]): string {
  const bits = labels.length <= 127 ? 8 : 16
  return `Enum${bits}(${labels.map((label, at) => `'${label.replace(/[\\']/g, '\\$&')}' = ${at + 1}`).join(', ')})`
}
