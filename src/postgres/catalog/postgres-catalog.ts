import { CachedCatalog, type CatalogDeps, type CatalogOptions } from '../../warehouse/catalog/cached-catalog.ts'
import type { PostgresConnections } from '../connection.ts'
import { createPostgresReader } from './postgres-reader.ts'

/** The schema catalog of one Postgres database. */
export class PostgresCatalog extends CachedCatalog {
  /** @param options.schemas the schemas to read, which are the `database` of a table */
  constructor(
    { connections, ...deps }: CatalogDeps & { readonly connections: PostgresConnections },
    options: CatalogOptions & { readonly schemas: readonly string[] },
  ) {
    const schemas = [...new Set(options.schemas)].filter(isOwnSchema).sort()
    super(deps, options, {
      identity: ['postgres', options.identity ?? connections.description, ...schemas],
      openReader: parts => createPostgresReader({ ...parts, connections, schemas }),
    })
  }
}

function isOwnSchema(name: string): boolean {
  return name !== 'information_schema' && !name.startsWith('pg_')
}
