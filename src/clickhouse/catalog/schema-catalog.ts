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
  /** Called on each `load`. `hit`: the cached schema was up to date. `miss`: names and types of some tables had to be fetched. */
  readonly onLookup?: (outcome: 'hit' | 'miss') => void
}

export interface SchemaCatalogOptions {
  readonly databases: readonly string[]
  /** The patterns for the names of private columns. `privateColumnTest` describes their form. */
  readonly privateColumns?: readonly string[]
  /** Separates this warehouse from others in the same store. Default: the description of the warehouse. */
  readonly identity?: string
  /** The time limit of one query for names and types. `CATALOG_LIMITS.fetchTimeoutMs` gives the default and its reason. */
  readonly fetchTimeoutMs?: number
  /** The time that a question waits for missing statistics. `CATALOG_LIMITS.firstMomentMs` gives the default and its reason. */
  readonly firstMomentMs?: number
}

const SYSTEM_DATABASES = new Set(['system', 'information_schema', 'INFORMATION_SCHEMA'])

/** The schema catalog of one ClickHouse server. */
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
