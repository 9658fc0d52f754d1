import { type ListedTable, listedTable, type PartDigest, partDigest } from '../../warehouse/catalog/listed-table.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import { askCatalog, type CatalogAsk } from './ask-catalog.ts'

/**
 * Selects what the reading role may read in the schemas. A partitioned table is shown as one table, so its partitions are left
 * out.
 */
const SHOWN = `
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  JOIN (VALUES ('r', 'table'), ('p', 'partitioned table'), ('v', 'view'), ('m', 'materialized view'), ('f', 'foreign table'))
    AS k(kind, engine) ON k.kind = c.relkind::text
WHERE n.nspname = ANY($1) AND NOT c.relispartition AND c.relpersistence <> 't'
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')`

const PART = `(('x' || pg_catalog.left(pg_catalog.md5(n.nspname || '.' || c.relname), 8))::pg_catalog.bit(32)::int8 % ${CATALOG_LIMITS.parts})::int4`

/**
 * Postgres has no modification times. Each row of the system catalogs has the id of the transaction that wrote it, so these ids
 * change with the definition, the grants and the comments.
 */
const FINGERPRINT = `pg_catalog.concat_ws(' ', c.oid, c.xmin,
  (SELECT pg_catalog.md5(pg_catalog.string_agg(a.xmin::text, ',' ORDER BY a.attnum)) FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = c.oid),
  (SELECT pg_catalog.md5(pg_catalog.string_agg(k.oid::text || k.xmin::text, ',' ORDER BY k.oid)) FROM pg_catalog.pg_constraint AS k WHERE k.conrelid = c.oid),
  (SELECT pg_catalog.md5(pg_catalog.string_agg(d.objsubid::text || d.xmin::text, ',' ORDER BY d.objsubid))
    FROM pg_catalog.pg_description AS d WHERE d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objoid = c.oid),
  (SELECT pg_catalog.string_agg(w.xmin::text, ',') FROM pg_catalog.pg_rewrite AS w WHERE w.ev_class = c.oid AND c.relkind IN ('v', 'm')))`

/** The server's estimate. -1 stands for a table that was never analyzed. A partitioned table has the rows of its partitions. */
const ROWS = `CASE WHEN c.relkind = 'p' THEN (
    SELECT pg_catalog.sum(l.reltuples) FILTER (WHERE l.reltuples >= 0) FROM pg_catalog.pg_partition_tree(c.oid) AS t
    JOIN pg_catalog.pg_class AS l ON l.oid = t.relid WHERE t.isleaf)
  WHEN c.relkind IN ('r', 'm') AND c.reltuples >= 0 THEN c.reltuples END`

/** A read of the system catalogs sees every change at once, so no table needs time to settle. */
const LIST = `
SELECT n.nspname AS database, c.relname AS name, k.engine, ${FINGERPRINT} AS fingerprint, (${ROWS})::float8 AS rows,
  c.relpages * 8192::float8 AS bytes, ${PART} AS part, ${CATALOG_LIMITS.settledAfterSeconds} AS "ageSeconds"${SHOWN}
  AND ($2::int4[] IS NULL OR ${PART} = ANY($2))
ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C" LIMIT $3`

const DIGESTS = `
SELECT part, pg_catalog.count(*)::int4 AS tables, pg_catalog.md5(pg_catalog.string_agg(told, ';' ORDER BY told)) AS digest, true AS "isDated"
FROM (SELECT ${PART} AS part, ${FINGERPRINT} AS told${SHOWN}) AS listed GROUP BY part`

/**
 * Lists what the reading role may read, by schema and name.
 * @param only.parts lists only tables of these parts
 * @param only.most lists at most this many tables
 * @throws WarehouseError
 */
export function readTableList(
  ask: CatalogAsk,
  signal: AbortSignal,
  { parts, most }: { readonly parts?: readonly number[]; readonly most?: number } = {},
): Promise<readonly ListedTable[]> {
  return askCatalog(ask, LIST, [ask.schemas, parts ?? null, most ?? null], listedTable, signal)
}

/**
 * Returns a digest for each part of the catalog that has tables.
 * @throws WarehouseError
 */
export function readDigests(ask: CatalogAsk, signal: AbortSignal): Promise<readonly PartDigest[]> {
  return askCatalog(ask, DIGESTS, [ask.schemas], partDigest, signal)
}
