import { z } from 'zod'
import { errorMessage } from '../../base/errors.ts'
import { CachedCatalog, type CatalogDeps, type CatalogOptions, type ReaderParts } from '../../warehouse/catalog/cached-catalog.ts'
import type { CatalogReader, ServerFacts } from '../../warehouse/catalog/reader.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { PostgresConnections } from '../connection.ts'
import { PostgresTypes } from '../values/postgres-types.ts'
import { askCatalog, type CatalogAsk } from './ask-catalog.ts'
import { fetchTables } from './fetch-tables.ts'
import { gatherStatistics } from './gather-statistics.ts'
import { readDigests, readTableList } from './read-table-list.ts'

/** The schema catalog of one Postgres database. */
export class PostgresCatalog extends CachedCatalog {
  /** @param options.schemas the schemas to read, which are the `database` of a table */
  constructor(
    { connections, ...deps }: CatalogDeps & { readonly connections: PostgresConnections },
    options: CatalogOptions & { readonly schemas: readonly string[] },
  ) {
    const schemas = [...new Set(options.schemas)].filter(name => name !== 'information_schema' && !name.startsWith('pg_')).sort()
    super(deps, options, {
      identity: ['postgres', options.identity ?? connections.description, ...schemas],
      openReader: parts => createPostgresReader({ ...parts, connections, schemas }),
    })
  }
}

/** Reads the catalog from `pg_catalog`. Its databases are the schemas of the one Postgres database. */
function createPostgresReader({ logger, now, isPrivate, ...ask }: ReaderParts & CatalogAsk): CatalogReader {
  const types = new PostgresTypes()
  return {
    tables: (signal, only) => readTableList(ask, signal, only),
    digests: signal => readDigests(ask, signal),
    server: signal => readServer(ask, signal),
    entries: (listed, signal) => fetchTables({ ask, types, isPrivate, now }, listed, signal),
    isScannable: ({ listed }) => listed.rows !== null,
    gather: async (tables, _all, take, signal) => {
      try {
        await gatherStatistics({ ask, now }, tables, take, signal)
        return true
      } catch (error) {
        if (!signal.aborted) logger.warn({ error: errorMessage(error) }, 'table statistics failed')
        return false
      }
    },
  }
}

const SERVER = `
SELECT pg_catalog.split_part(pg_catalog.current_setting('server_version'), ' ', 1) AS version,
  (SELECT pg_catalog.json_agg(pg_catalog.json_build_object('name', n.nspname, 'comment', COALESCE(pg_catalog.obj_description(n.oid, 'pg_namespace'), ''))
     ORDER BY n.nspname COLLATE "C")
   FROM pg_catalog.pg_namespace AS n
   WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')) AS schemas`

const serverRow = z.object({
  version: z.string(),
  schemas: z
    .array(z.object({ name: z.string(), comment: z.string() }))
    .nullable()
    .transform(schemas => schemas ?? []),
})

/** A message lists at most this many schemas. */
const LISTED_SCHEMAS = 10

/**
 * Reads the facts of the server: version and schemas. If the role may see none of the configured schemas, the error names those
 * that it may see.
 * @throws WarehouseError
 */
async function readServer(ask: CatalogAsk, signal: AbortSignal): Promise<ServerFacts> {
  const [facts] = await askCatalog(ask, SERVER, [], serverRow, signal)
  const seen = facts?.schemas ?? []
  const databases = seen.filter(({ name }) => ask.schemas.includes(name))
  if (databases.length > 0) {
    return { product: 'PostgreSQL', serverVersion: facts?.version ?? 'unknown', timeZone: 'UTC', databases }
  }
  const names = seen.slice(0, LISTED_SCHEMAS).map(({ name }) => name)
  const found = seen.length === 0 ? 'It may use none at all.' : `It may use: ${names.join(', ')}.`
  const asked = ask.schemas.join(', ')
  const message = `Clew’s role may not use the schema ${asked}, or it does not exist (GRANT USAGE ON SCHEMA ${asked} TO clew_reader). ${found}`
  throw new WarehouseError(message, { kind: 'unknown_name' })
}
