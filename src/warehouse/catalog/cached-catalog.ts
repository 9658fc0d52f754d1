import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from '../../base/logger.ts'
import { memoizePerObject } from '../../base/memoize.ts'
import { breather, eachInSlices } from '../../base/slices.ts'
import { forEverybody } from '../../base/watched-work.ts'
import type { StateStore } from '../../store/state-store.ts'
import type { Observe } from '../../telemetry/observation.ts'
import { WarehouseError } from '../error.ts'
import { CATALOG_LIMITS } from '../limits.ts'
import { type PrivateColumnTest, privateColumnTest } from '../private-columns.ts'
import { findTables, tableNames } from '../retrieval/find-tables.ts'
import { createTableFinder, type TableFinder } from '../retrieval/table-finder.ts'
import type { FocusedTable, Schema, TableSchema } from '../schema.ts'
import type { SchemaSource, TablesAsk } from '../schema-source.ts'
import { waitFor } from '../wait-for.ts'
import { CatalogEntries } from './entries.ts'
import { type CatalogEntry, toTableSchema, withStatisticsOf } from './entry.ts'
import { type ListedTable, tableKey } from './listed-table.ts'
import type { CatalogReader, ServerFacts } from './reader.ts'
import { SchemaCache } from './schema-cache.ts'
import { createStatisticsKeeper, type StatisticsKeeper } from './statistics-keeper.ts'
import { createTableList, type TableList } from './table-list.ts'

export interface CatalogDeps {
  readonly store: StateStore
  readonly logger: Logger
  /** Returns Unix time in milliseconds. Default: `Date.now`. */
  readonly now?: () => number
  /** Told on each `load` whether the cached schema was up to date. If not, names and types of some tables had to be fetched. */
  readonly observe?: Observe
}

export interface CatalogOptions {
  /** The patterns for the names of private columns. `privateColumnTest` describes their form. */
  readonly privateColumns?: readonly string[]
  /** Separates this source from others in the same store. Default: the description of the source. */
  readonly identity?: string
  /** The time limit of one query for names and types. `CATALOG_LIMITS.fetchTimeoutMs` gives the default and its reason. */
  readonly fetchTimeoutMs?: number
  /** The time that a question waits for missing statistics. `CATALOG_LIMITS.firstMomentMs` gives the default and its reason. */
  readonly firstMomentMs?: number
}

/** The parts that every reader of a catalog needs. */
export interface ReaderParts {
  readonly logger: Logger
  readonly now: () => number
  readonly isPrivate: PrivateColumnTest
  readonly timeoutMs: number
}

/** The identity of a catalog, and the reader that loads it. */
interface CatalogContent {
  /** Separates the catalog from those of other databases in the same store. */
  readonly identity: readonly string[]
  readonly openReader: (parts: ReaderParts) => CatalogReader
}

/**
 * Provides the current schema of some databases. Each load runs one cheap query for the tables' fingerprints, which change with
 * the definitions. A cached entry with another fingerprint is outdated and is fetched again. Statistics are gathered in the
 * background, by one process at a time.
 */
export class CachedCatalog implements SchemaSource {
  readonly #reader: CatalogReader
  readonly #logger: Logger
  readonly #now: () => number
  readonly #observe: Observe | undefined
  readonly #cache: SchemaCache
  readonly #fetchTimeoutMs: number
  readonly #closing = new AbortController()
  readonly #statistics: StatisticsKeeper
  readonly #finder: TableFinder
  readonly #namesOf = memoizePerObject(tableNames)

  readonly #entries = new CatalogEntries()
  readonly #tableList: TableList
  #list: readonly ListedTable[] | undefined
  #listed: ReadonlyMap<string, ListedTable> = new Map()
  #server: ServerFacts | undefined
  #schema: Schema | undefined
  /**
   * The table list, server facts and version from which `#schema` was built. If one of them changes, the schema is built again.
   */
  #schemaList: readonly ListedTable[] | undefined
  #schemaServer: ServerFacts | undefined
  #schemaVersion = -1
  readonly #tables = new WeakMap<CatalogEntry, TableSchema>()
  #loading: Promise<void> | undefined
  #refreshing: Promise<void> | undefined

  constructor(
    { store, logger, now = Date.now, observe }: CatalogDeps,
    { fetchTimeoutMs = CATALOG_LIMITS.fetchTimeoutMs, firstMomentMs = CATALOG_LIMITS.firstMomentMs, ...options }: CatalogOptions,
    { identity, openReader }: CatalogContent,
  ) {
    const privateColumns = [...(options.privateColumns ?? [])].sort()
    const reader = openReader({ logger, now, isPrivate: privateColumnTest(privateColumns), timeoutMs: fetchTimeoutMs })
    this.#reader = reader
    this.#logger = logger
    this.#now = now
    this.#observe = observe
    this.#cache = new SchemaCache(store, logger, [...identity, '', ...privateColumns])
    this.#fetchTimeoutMs = fetchTimeoutMs
    this.#tableList = createTableList(reader, { now })
    this.#finder = createTableFinder({ logger })
    this.#statistics = createStatisticsKeeper({
      ...{ reader, logger, now },
      ...{ entries: this.#entries, cache: this.#cache, closing: this.#closing.signal, firstMomentMs },
    })
  }

  async load(signal: AbortSignal): Promise<Schema> {
    this.#loading ??= this.#shared(false, () => {
      this.#loading = undefined
    })
    await waitFor(this.#loading, signal)
    await this.#statistics.firstMoment(signal)
    return this.#current()
  }

  /**
   * Fetches names and types even if nothing seems changed, for example after a query with an unknown name. Unchanged tables keep
   * their statistics.
   */
  async refresh(signal: AbortSignal): Promise<Schema> {
    this.#refreshing ??= this.#shared(true, () => {
      this.#refreshing = undefined
    })
    await waitFor(this.#refreshing, signal)
    return this.#current()
  }

  async find(schema: Schema, ask: TablesAsk, signal: AbortSignal): Promise<readonly FocusedTable[]> {
    // The search index covers all tables, because everybody shares it. The results contain only tables of the given schema, which
    // may be narrower.
    const breathe = breather()
    const search = await this.#finder.searchOf(this.#current().tables, signal)
    await breathe()
    const names = this.#namesOf(schema.tables)
    await breathe()
    return findTables(search, names, ask)
  }

  async withStatistics(tables: readonly TableSchema[], signal: AbortSignal): Promise<readonly TableSchema[]> {
    await this.#statistics.gatherOf(
      tables.flatMap(table => this.#listed.get(tableKey(table)) ?? []),
      signal,
    )
    return tables.map(table => {
      const entry = this.#entries.get(table)
      return entry === undefined ? table : withStatisticsOf(entry, table)
    })
  }

  /**
   * Stops background work and waits until it has stopped. The caller must close the warehouse and the store, because the caller
   * opened them.
   */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled([this.#loading, this.#refreshing, this.#statistics.settled(), this.#finder.close()])
  }

  /**
   * Starts an update that several callers await. The empty `catch` is for an update that fails after all of them have stopped
   * waiting: Node would report an unhandled error.
   */
  #shared(isForced: boolean, done: () => void): Promise<void> {
    const shared = forEverybody(() => this.#update(isForced)).finally(done)
    shared.catch(() => undefined)
    return shared
  }

  async #update(isForced: boolean): Promise<void> {
    const signal = this.#closing.signal
    const [list, cached] = await Promise.all([
      this.#onceMore(() => this.#tableList.read(signal)),
      this.#list === undefined ? this.#cache.load(signal) : [],
    ])
    // In a large catalog, each of these steps may block the thread for a while. So `breathe` lets other work run after each step.
    const breathe = breather()
    await this.#entries.merge(cached, breathe)
    const stale = this.#entries.stale(list, this.#now())
    await breathe()
    if (!isForced) this.#observe?.({ kind: 'cache', cache: 'schema', isHit: stale.length === 0 })
    // Fetching all tables of a large catalog takes seconds. So even a forced update fetches only the changed ones, which the
    // digests of the catalog's parts reveal.
    const wanted = isForced && !isLarge(list) ? list : stale
    const [server] = await Promise.all([
      // The server's facts rarely change, and this query would slow down each turn by some milliseconds. So it runs only when
      // tables are fetched too.
      stale.length === 0 && this.#server ? this.#server : this.#readServer(),
      wanted.length > 0 ? this.#fetch(wanted, isForced) : undefined,
    ])
    if (list !== this.#list) {
      this.#entries.dropUnlisted(list)
      await breathe()
      this.#listed = new Map(list.map(table => [tableKey(table), table]))
      await eachInSlices(list, listed => void this.#toTable(listed), breathe)
    }
    this.#list = list
    this.#server = server
    if (!isLarge(list)) this.#statistics.gatherAll(list)
  }

  #readServer(): Promise<ServerFacts> {
    return this.#onceMore(() => this.#reader.server(this.#closing.signal))
  }

  /** Fetches the tables' names and types. If another process is already fetching them, takes its result from the store. */
  async #fetch(stale: readonly ListedTable[], isForced: boolean): Promise<void> {
    const signal = this.#closing.signal
    const lockSeconds = Math.ceil((2 * this.#fetchTimeoutMs) / 1_000) + 5
    const isMine = await this.#cache.tryLock('tables', lockSeconds, signal)
    try {
      const missing = isForced ? stale : await this.#notFetchedByOthers(stale, isMine)
      if (missing.length === 0) return
      const fetched = await this.#onceMore(() => this.#reader.entries(missing, signal))
      await eachInSlices(fetched, entry => this.#entries.replace(entry))
      // Another process may have saved newer entries in the meantime. They are merged first, because saving would overwrite them.
      await this.#entries.merge(await this.#cache.load(signal, missing))
      await this.#cache.save(this.#entries.all(), signal, missing)
    } finally {
      if (isMine) await this.#cache.unlock('tables')
    }
  }

  /**
   * Returns the tables that this process must fetch itself, because no other process has stored them. A process with the lock
   * checks the store once. A process without it checks until all tables are there, or until the time limit.
   */
  async #notFetchedByOthers(stale: readonly ListedTable[], isMine: boolean): Promise<readonly ListedTable[]> {
    const before = new Map(stale.map(table => [table, this.#entries.get(table)]))
    const end = this.#now() + CATALOG_LIMITS.lockWaitMs
    for (;;) {
      await this.#entries.merge(await this.#cache.load(this.#closing.signal, stale))
      // An outdated entry may still have the current fingerprint, if the table changed twice within a second. So an equal
      // fingerprint is not enough: the store must have a new entry.
      const missing = stale.filter(table => {
        const entry = this.#entries.get(table)
        return entry?.fingerprint !== table.fingerprint || entry === before.get(table)
      })
      if (isMine || missing.length === 0 || this.#now() >= end) return missing
      await delay(CATALOG_LIMITS.lockPollMs, undefined, { signal: this.#closing.signal })
    }
  }

  /** Runs a fetch, and repeats it once after a timeout. The warehouse itself already retries after other failures. */
  async #onceMore<Value>(act: () => Promise<Value>): Promise<Value> {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof WarehouseError) || error.kind !== 'timeout') throw error
      this.#logger.warn({ error: error.message }, 'schema fetch timed out, tried once more')
      return await act()
    }
  }

  /**
   * Returns the current schema. If nothing has changed, returns the same object as before, and unchanged tables stay the same
   * objects too.
   */
  #current(): Schema {
    if (this.#list === undefined || this.#server === undefined) {
      throw new WarehouseError('the schema has not been read', { kind: 'unavailable' })
    }
    this.#schema = this.#toSchema(this.#list, this.#server)
    return this.#schema
  }

  #toSchema(list: readonly ListedTable[], server: ServerFacts): Schema {
    const before = this.#schema
    const isSameLarge = isLarge(list) && list === this.#schemaList && this.#entries.version === this.#schemaVersion
    if (before !== undefined && isSameLarge && server === this.#schemaServer) return before
    const tables = list.flatMap(listed => this.#toTable(listed) ?? [])
    this.#schemaList = list
    this.#schemaServer = server
    this.#schemaVersion = this.#entries.version
    const isSame = before?.tables.length === tables.length && before.tables.every((table, index) => table === tables[index])
    if (isSame && isDeepStrictEqual({ ...before, ...server }, before)) return before
    return { tables, ...server, fetchedAt: new Date(this.#now()).toISOString() }
  }

  #toTable(listed: ListedTable): TableSchema | undefined {
    const entry = this.#entries.get(listed)
    if (entry === undefined) return undefined
    const before = this.#tables.get(entry)
    if (before?.rows === listed.rows) return before
    // Other caches compare columns by object identity. So only the row count is replaced, and the columns stay the same objects.
    const table = before === undefined ? toTableSchema(entry, listed.rows) : { ...before, rows: listed.rows }
    this.#tables.set(entry, table)
    return table
  }
}

function isLarge(list: readonly ListedTable[]): boolean {
  return list.length > CATALOG_LIMITS.largeTables
}
