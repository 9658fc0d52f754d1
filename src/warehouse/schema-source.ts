import type { FocusedTable, Schema, TableSchema } from './schema.ts'

/** The port that provides the schema of a data source, such as the catalog of a ClickHouse server. */
export interface SchemaSource {
  /**
   * Returns the current schema from the cache. Each call compares the cache with the current list of tables. Statistics expire after some time.
   * @throws WarehouseError if the warehouse cannot be read; a timeout is retried once
   */
  load(signal: AbortSignal): Promise<Schema>
  /** Fetches the schema again without using the cache. Called when a query uses an unknown table or column. Concurrent calls share one fetch. */
  refresh(signal: AbortSignal): Promise<Schema>
  /**
   * Returns the tables that a question may need, best first. Waits if there is no index of the catalog yet. Undefined if the whole catalog
   * always fits into a prompt.
   * @throws WarehouseError of kind `cancelled`
   */
  readonly find?: (schema: Schema, ask: TablesAsk, signal: AbortSignal) => Promise<readonly FocusedTable[]>
  /** Returns the tables with their statistics. In a large catalog, this gathers them first. If that takes too long, some tables have none. */
  readonly withStatistics?: (tables: readonly TableSchema[], signal: AbortSignal) => Promise<readonly TableSchema[]>
}

/** Returns a source like `source`, but with the function `change` applied to each schema. Searches cover the changed schemas. */
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
  /** Free text, usually the question. If it contains the name of a table, the table is always found. */
  readonly text: string
  /** Earlier text that `text` continues, such as the previous question. Its words have less weight. */
  readonly context?: string
  /**
   * Tables that are known to matter, as `database.table`, each with a weight. A weight of 1 makes a table equal to the best result.
   */
  readonly hints?: ReadonlyMap<string, number>
  /** Tables that an earlier search found for this question. They did not help, so this search leaves them out. */
  readonly without?: ReadonlySet<string>
}
