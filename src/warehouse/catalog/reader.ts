import type { DatabaseSchema } from '../schema.ts'
import type { CatalogEntry, TableStatistics } from './entry.ts'
import type { ListedTable, PartDigest } from './listed-table.ts'

export interface ServerFacts {
  readonly serverVersion: string
  /** The server's product. Undefined for ClickHouse. */
  readonly product?: string
  readonly timeZone: string
  /** The requested databases, sorted by name. A database that the reading user is not allowed to see is missing. */
  readonly databases: readonly DatabaseSchema[]
}

export interface TableToGather {
  readonly entry: CatalogEntry
  readonly listed: ListedTable
}

/** The port for reading the catalog of a data source. Its methods throw no errors other than WarehouseError. */
export interface CatalogReader {
  /**
   * Returns the tables, sorted by database and name. Leaves out temporary tables, and the tables that pipelines use while they
   * work.
   * @param only limits the result to some parts of the catalog, or to the first `most` tables
   */
  tables(
    signal: AbortSignal,
    only?: { readonly parts?: readonly number[]; readonly most?: number },
  ): Promise<readonly ListedTable[]>
  /** Returns a digest for each part of the catalog that has tables. The digest changes when one of these tables changes. */
  digests(signal: AbortSignal): Promise<readonly PartDigest[]>
  server(signal: AbortSignal): Promise<ServerFacts>
  /** Returns names, types, keys and comments of the listed tables, without those that were dropped in the meantime. */
  entries(listed: readonly ListedTable[], signal: AbortSignal): Promise<readonly CatalogEntry[]>
  /** Whether a few rows of the table can be read cheaply and without side effects. */
  isScannable(table: TableToGather): boolean
  /**
   * Gathers statistics of the tables until the budget is spent (see `gatherStatistics`). Returns false if the budget was not
   * enough for all tables.
   */
  gather(
    tables: readonly TableToGather[],
    all: readonly TableToGather[],
    take: (table: TableToGather, statistics: TableStatistics) => void,
    signal: AbortSignal,
  ): Promise<boolean>
}
