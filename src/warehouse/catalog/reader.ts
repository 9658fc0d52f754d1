import type { DatabaseSchema } from '../schema.ts'
import type { CatalogEntry, TableStatistics } from './entry.ts'
import type { ListedTable, PartDigest } from './listed-table.ts'

export interface ServerFacts {
  readonly serverVersion: string
  readonly timeZone: string
  /** The requested databases that the reader may see, by name. */
  readonly databases: readonly DatabaseSchema[]
}

export interface TableToGather {
  readonly entry: CatalogEntry
  readonly listed: ListedTable
}

/** Reads the catalog of one data source. All methods throw WarehouseError only. */
export interface CatalogReader {
  /**
   * Returns the tables by database and name, without temporary ones and pipelines' working tables.
   * @param only limits the tables to some parts of the catalog, or to the first `most`
   */
  tables(
    signal: AbortSignal,
    only?: { readonly parts?: readonly number[]; readonly most?: number },
  ): Promise<readonly ListedTable[]>
  /** Returns a row for each part of the catalog that has tables. */
  digests(signal: AbortSignal): Promise<readonly PartDigest[]>
  server(signal: AbortSignal): Promise<ServerFacts>
  /** Returns names, types, keys and comments. A table that was dropped meanwhile is left out. */
  entries(listed: readonly ListedTable[], signal: AbortSignal): Promise<readonly CatalogEntry[]>
  /** Whether a table can be read in part, cheaply and without side effects. */
  isScannable(table: TableToGather): boolean
  /** Gathers statistics until its budget is spent, see `gatherStatistics`. Returns whether it reached all tables. */
  gather(
    tables: readonly TableToGather[],
    all: readonly TableToGather[],
    take: (table: TableToGather, statistics: TableStatistics) => void,
    signal: AbortSignal,
  ): Promise<boolean>
}
