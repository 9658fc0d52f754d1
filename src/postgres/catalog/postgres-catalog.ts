import type { Logger } from '../../base/logger.ts'
import type { StateStore } from '../../store/state-store.ts'
import { CachedCatalog } from '../../warehouse/catalog/cached-catalog.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import { privateColumnTest } from '../../warehouse/private-columns.ts'
import type { PostgresConnections } from '../connection.ts'
import { createPostgresReader } from './postgres-reader.ts'

export interface PostgresCatalogDeps {
  readonly connections: PostgresConnections
  readonly store: StateStore
  readonly logger: Logger
  /** Returns Unix time in milliseconds. Default: `Date.now`. */
  readonly now?: () => number
  /** Called on each `load`. `hit`: the cached schema was up to date. `miss`: names and types of some tables had to be fetched. */
  readonly onLookup?: (outcome: 'hit' | 'miss') => void
}

export interface PostgresCatalogOptions {
  /** The schemas to read. They are the `database` of a table. */
  readonly schemas: readonly string[]
  /** The patterns for the names of private columns. `privateColumnTest` describes their form. */
  readonly privateColumns?: readonly string[]
  /** Separates this source from others in the same store. Default: its address. */
  readonly identity?: string
}

/** The schema catalog of one Postgres database. */
export class PostgresCatalog extends CachedCatalog {
  constructor(
    { connections, store, logger, now = Date.now, onLookup = () => undefined }: PostgresCatalogDeps,
    options: PostgresCatalogOptions,
  ) {
    const schemas = [...new Set(options.schemas)].filter(isOwnSchema).sort()
    const privateColumns = [...(options.privateColumns ?? [])].sort()
    const { fetchTimeoutMs, firstMomentMs } = CATALOG_LIMITS
    const isPrivate = privateColumnTest(privateColumns)
    const reader = createPostgresReader({ connections, logger, now, isPrivate }, { schemas, timeoutMs: fetchTimeoutMs })
    const identity = ['postgres', options.identity ?? connections.description, ...schemas, '', ...privateColumns]
    super({ reader, store, logger, now, onLookup }, { identity, fetchTimeoutMs, firstMomentMs })
  }
}

function isOwnSchema(name: string): boolean {
  return name !== 'information_schema' && !name.startsWith('pg_')
}
