import { CachedCatalog, type CatalogDeps, type CatalogOptions } from '../../warehouse/catalog/cached-catalog.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { createServerReader } from './server-reader.ts'

export interface SchemaCatalogDeps extends CatalogDeps {
  readonly warehouse: Warehouse
}

export interface SchemaCatalogOptions extends CatalogOptions {
  readonly databases: readonly string[]
}

const SYSTEM_DATABASES = new Set(['system', 'information_schema', 'INFORMATION_SCHEMA'])

/** The schema catalog of one ClickHouse server. */
export class SchemaCatalog extends CachedCatalog {
  constructor({ warehouse, ...deps }: SchemaCatalogDeps, options: SchemaCatalogOptions) {
    const databases = [...new Set(options.databases)].filter(database => !SYSTEM_DATABASES.has(database)).sort()
    super(deps, options, {
      identity: [options.identity ?? warehouse.description, ...databases],
      openReader: parts => createServerReader({ ...parts, warehouse, databases }),
    })
  }
}
