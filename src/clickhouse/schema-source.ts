import type { FocusedTable, Schema, TableSchema } from './schema.ts'

/** The port through which the pipeline learns what can be asked about. */
export interface SchemaSource {
  /**
   * The current schema. Cached; the list of tables is checked on each call, statistics go by age.
   * @throws WarehouseError when the warehouse cannot be read, after one more try on a time-out.
   */
  load(signal: AbortSignal): Promise<Schema>
  /** Forgets what is cached and fetches again: for an unknown table or column. Concurrent calls make one fetch. */
  refresh(signal: AbortSignal): Promise<Schema>
  /**
   * The tables of a schema of this source that a question may need, best first. Waits for the index of the catalog, where there is none yet.
   * Absent where a catalog is always given whole. @throws WarehouseError of kind `cancelled`
   */
  readonly find?: (schema: Schema, ask: TablesAsk, signal: AbortSignal) => Promise<readonly FocusedTable[]>
  /** These tables with their statistics, which of a large catalog are gathered when they are needed; without, where that takes too long. */
  readonly withStatistics?: (tables: readonly TableSchema[], signal: AbortSignal) => Promise<readonly TableSchema[]>
}

/** A source whose schemas are changed on their way to who asks; tables are found in the changed ones. */
export function withSchemas(source: SchemaSource, change: (schema: Schema) => Schema | Promise<Schema>): SchemaSource {
  const { find, withStatistics } = source
  return {
    load: async signal => change(await source.load(signal)),
    refresh: async signal => change(await source.refresh(signal)),
    ...(find && { find: find.bind(source) }),
    ...(withStatistics && { withStatistics: withStatistics.bind(source) }),
  }
}

/** What tables are looked for by. */
export interface TablesAsk {
  /** In anybody's words. Tables that are named in it are always found. */
  readonly text: string
  /** What it goes on from, which counts less. */
  readonly context?: string
  /** Tables that are known to matter, as `database.table`, and how much: 1 as much as the best find. */
  readonly hints?: ReadonlyMap<string, number>
  /** Found before, and not what was needed. */
  readonly without?: ReadonlySet<string>
}
