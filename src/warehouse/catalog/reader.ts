import type { DatabaseSchema } from '../schema.ts'
import type { CatalogEntry, TableStatistics } from './entry.ts'
import type { ListedTable, PartDigest } from './listed-table.ts'

export interface ServerFacts {
  readonly serverVersion: string
  readonly timeZone: string
  /** The requested databases, without those that the reading user may not see. They are sorted by name. */
  readonly databases: readonly DatabaseSchema[]
}

export interface TableToGather {
  readonly entry: CatalogEntry
  readonly listed: ListedTable
}

/** The port that reads the catalog of one data source. All methods throw WarehouseError only. */
export interface CatalogReader {
  /**
   * Returns the tables by database and name. Leaves out temporary tables and the working tables of pipelines.
   * @param only selects some parts of the catalog, or the first `most` tables
   */
  tables(
    signal: AbortSignal,
    only?: { readonly parts?: readonly number[]; readonly most?: number },
  ): Promise<readonly ListedTable[]>
  /** Returns one row for each part of the catalog that has tables. */
  digests(signal: AbortSignal): Promise<readonly PartDigest[]>
  server(signal: AbortSignal): Promise<ServerFacts>
  /** Returns names, types, keys and comments of the listed tables. Leaves out tables that were dropped in the meantime. */
  entries(listed: readonly ListedTable[], signal: AbortSignal): Promise<readonly CatalogEntry[]>
  /** Whether a part of the table can be read cheaply and without side effects. */
  isScannable(table: TableToGather): boolean
  /** Gathers statistics until the budget is spent (see `gatherStatistics`). Returns whether all tables were reached. */
  gather(
    tables: readonly TableToGather[],
    all: readonly TableToGather[],
    take: (table: TableToGather, statistics: TableStatistics) => void,
    signal: AbortSignal,
  ): Promise<boolean>
}
