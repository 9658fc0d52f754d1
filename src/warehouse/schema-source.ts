import type { FocusedTable, Schema, TableSchema } from './schema.ts'

/** The port that provides the schema. */
export interface SchemaSource {
  /**
   * Returns the current schema. It is cached: each call checks the list of tables, and statistics expire by age.
   * @throws WarehouseError if the warehouse is unreadable, after one retry of a timeout
   */
  load(signal: AbortSignal): Promise<Schema>
  /** Drops the cache and fetches again, for an unknown table or column. Concurrent calls share one fetch. */
  refresh(signal: AbortSignal): Promise<Schema>
  /**
   * Returns the tables that a question may need, best first. It waits for the catalog's index if there is none yet. Absent if the whole catalog
   * always fits.
   * @throws WarehouseError of kind `cancelled`
   */
  readonly find?: (schema: Schema, ask: TablesAsk, signal: AbortSignal) => Promise<readonly FocusedTable[]>
  /** Returns the tables with statistics, which a large catalog gathers on demand. They are missing if that takes too long. */
  readonly withStatistics?: (tables: readonly TableSchema[], signal: AbortSignal) => Promise<readonly TableSchema[]>
}

/** Wraps a source so that `change` applies to each schema. Searches use the changed schemas. */
export function withSchemas(source: SchemaSource, change: (schema: Schema) => Schema | Promise<Schema>): SchemaSource {
  const { find, withStatistics } = source
  return {
    load: async signal => change(await source.load(signal)),
    refresh: async signal => change(await source.refresh(signal)),
    ...(find && { find: find.bind(source) }),
    ...(withStatistics && { withStatistics: withStatistics.bind(source) }),
  }
}

/** A search for tables. */
export interface TablesAsk {
  /** Free text. Tables named in it are always found. */
  readonly text: string
  /** Earlier text that it continues, with less weight. */
  readonly context?: string
  /** Tables known to matter, as `database.table`, with a weight: 1 equals the best result. */
  readonly hints?: ReadonlyMap<string, number>
  /** Tables that were found before without success. */
  readonly without?: ReadonlySet<string>
}
