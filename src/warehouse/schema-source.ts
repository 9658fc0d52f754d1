import type { FocusedTable, Schema, TableSchema } from './schema.ts'

/** The port that provides the schema of a data source, such as the catalog of a ClickHouse server. */
export interface SchemaSource {
  /**
   * Returns the current schema. Each call compares the cache with the server's list of tables, and fetches only what has changed.
   * Statistics may be up to an hour old.
   * @throws WarehouseError if the warehouse cannot be read; a timeout is retried once
   */
  load(signal: AbortSignal): Promise<Schema>
  /**
   * Fetches the schema without the cache. Called when a query uses an unknown table or column. Concurrent calls share one fetch.
   */
  refresh(signal: AbortSignal): Promise<Schema>
  /**
   * Returns the tables that a question may need, best first. The first call waits until the catalog is indexed. Undefined if
   * prompts can always show the whole catalog.
   * @throws WarehouseError of kind `cancelled`
   */
  readonly find?: (schema: Schema, ask: TablesAsk, signal: AbortSignal) => Promise<readonly FocusedTable[]>
  /** Adds statistics to the tables. In a large catalog, gathers them first. If that takes too long, some tables stay without. */
  readonly withStatistics?: (tables: readonly TableSchema[], signal: AbortSignal) => Promise<readonly TableSchema[]>
}

/**
 * Returns a source whose schemas are changed by `change`, for example narrowed to some tables. Searches then cover the changed
 * schemas.
 */
export function withSchemas(source: SchemaSource, change: (schema: Schema) => Schema | Promise<Schema>): SchemaSource {
  const { find, withStatistics } = source
  return {
    load: async signal => change(await source.load(signal)),
    refresh: async signal => change(await source.refresh(signal)),
    ...(find && { find: find.bind(source) }),
    ...(withStatistics && { withStatistics: withStatistics.bind(source) }),
  }
}

export interface TablesAsk {
  /** Free text, usually the question. A table that it mentions by name is always found. */
  readonly text: string
  /** Earlier text that `text` continues, such as the previous question. Its words have less weight. */
  readonly context?: string
  /**
   * Tables that are known to matter, as `database.table`, each with a weight. With weight 1, a table's score equals that of the
   * best result.
   */
  readonly hints?: ReadonlyMap<string, number>
  /** Tables that an earlier search found for this question without success. This search leaves them out. */
  readonly without?: ReadonlySet<string>
}
