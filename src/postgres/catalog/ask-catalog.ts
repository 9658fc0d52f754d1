import { z } from 'zod'
import { tableKey } from '../../warehouse/catalog/listed-table.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import type { PostgresConnections } from '../connection.ts'

/** The parts for a question to the system catalogs. */
export interface CatalogAsk {
  readonly connections: PostgresConnections
  /** The schemas to read. */
  readonly schemas: readonly string[]
  readonly timeoutMs: number
}

/** The relations of one question: `$1` has their schemas, and `$2` their names in the same order. */
const WANTED = `
  SELECT c.oid, n.nspname AS database, c.relname AS name, c.relkind, c.reltuples
  FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) AS w(database, name)
  JOIN pg_catalog.pg_namespace AS n ON n.nspname = w.database
  JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = w.name`

interface Named {
  readonly database: string
  readonly name: string
}

/**
 * Asks the system catalogs, with parameters as `$1`, `$2`, …, and parses each row.
 * @throws WarehouseError; its kind is `query` if a row has another shape than expected
 */
export async function askCatalog<Row>(
  { connections, timeoutMs }: Pick<CatalogAsk, 'connections' | 'timeoutMs'>,
  sql: string,
  parameters: readonly unknown[],
  row: z.ZodType<Row>,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const { rows } = await connections.withTransaction({ timeoutMs }, client => client.query(sql, [...parameters]), signal)
  const parsed = z.array(row).safeParse(rows)
  if (parsed.success) return parsed.data
  const message = 'The Postgres server describes its tables in a way that is not understood.'
  throw new WarehouseError(message, { kind: 'query', cause: parsed.error })
}

/**
 * Asks about tables, 200 at a time, and yields each with its row. The row is undefined for a table that was dropped in the meantime.
 * @param sql returns one row a table, and reads the tables from `c`
 * @throws WarehouseError
 */
export async function* askAboutTables<Table, Row extends Named>(
  ask: CatalogAsk,
  tables: readonly Table[],
  { nameOf, sql, row }: { readonly nameOf: (table: Table) => Named; readonly sql: string; readonly row: z.ZodType<Row> },
  signal: AbortSignal,
): AsyncGenerator<readonly [Table, Row | undefined]> {
  for (let start = 0; start < tables.length; start += CATALOG_LIMITS.tablesPerFetch) {
    const asked = tables.slice(start, start + CATALOG_LIMITS.tablesPerFetch)
    const names = [asked.map(table => nameOf(table).database), asked.map(table => nameOf(table).name)]
    const rows = await askCatalog(ask, `WITH c AS (${WANTED})\n${sql}`, names, row, signal)
    const found = new Map(rows.map(each => [tableKey(each), each]))
    for (const table of asked) yield [table, found.get(tableKey(nameOf(table)))]
  }
}
