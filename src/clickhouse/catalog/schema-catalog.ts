import type { Logger } from '../../base/logger.ts'
import type { StateStore } from '../../store/state-store.ts'
import { CachedCatalog } from '../../warehouse/catalog/cached-catalog.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import { privateColumnTest } from '../../warehouse/private-columns.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { createServerReader } from './server-reader.ts'

export interface SchemaCatalogDeps {
  readonly warehouse: Warehouse
  readonly store: StateStore
  readonly logger: Logger
  /** Returns Unix time in milliseconds. Default: `Date.now`. */
  readonly now?: () => number
  /** Called for each look-up. `miss` means that names and types had to be fetched. */
  readonly onLookup?: (outcome: 'hit' | 'miss') => void
}

export interface SchemaCatalogOptions {
  readonly databases: readonly string[]
  /** The patterns of private columns, in the form that `privateColumnTest` reads. */
  readonly privateColumns?: readonly string[]
  /** Tells apart the warehouses that share the store. Default: the description of the warehouse. */
  readonly identity?: string
  /** See `CATALOG_LIMITS.fetchTimeoutMs`. */
  readonly fetchTimeoutMs?: number
  /** See `CATALOG_LIMITS.firstMomentMs`. */
  readonly firstMomentMs?: number
}

const SYSTEM_DATABASES = new Set(['system', 'information_schema', 'INFORMATION_SCHEMA'])

/** The catalog of a ClickHouse server. */
export class SchemaCatalog extends CachedCatalog {
  constructor(
    { warehouse, store, logger, now = Date.now, onLookup = () => undefined }: SchemaCatalogDeps,
    {
      fetchTimeoutMs = CATALOG_LIMITS.fetchTimeoutMs,
      firstMomentMs = CATALOG_LIMITS.firstMomentMs,
      ...options
    }: SchemaCatalogOptions,
  ) {
    const databases = [...new Set(options.databases)].filter(database => !SYSTEM_DATABASES.has(database)).sort()
    const privateColumns = [...(options.privateColumns ?? [])].sort()
    const identity = [options.identity ?? warehouse.description, ...databases, '', ...privateColumns]
    const isPrivate = privateColumnTest(privateColumns)
    const reader = createServerReader({ warehouse, logger, now, isPrivate }, { databases, timeoutMs: fetchTimeoutMs })
    super({ reader, store, logger, now, onLookup }, { identity, fetchTimeoutMs, firstMomentMs })
  }
}
