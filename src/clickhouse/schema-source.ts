import type { Schema } from './schema.ts'

/** The port through which the pipeline learns what can be asked about. */
export interface SchemaSource {
  /**
   * The current schema. Cached; the list of tables is checked on each call, statistics go by age.
   * @throws WarehouseError when the warehouse cannot be read, after one more try on a time-out.
   */
  load(signal: AbortSignal): Promise<Schema>
  /** Forgets what is cached and fetches again: for an unknown table or column. Concurrent calls make one fetch. */
  refresh(signal: AbortSignal): Promise<Schema>
}
