import { breather, eachInSlices } from '../../base/slices.ts'
import { CATALOG_LIMITS } from '../limits.ts'
import type { CatalogEntry, TableStatistics } from './entry.ts'
import { type ListedTable, tableKey } from './listed-table.ts'

/**
 * The catalog entries in this process, by table. An entry is current while the server's table list shows the same fingerprint.
 */
export class CatalogEntries {
  readonly #entries = new Map<string, CatalogEntry>()
  #version = 0

  /** Increases with each change of a table's definition. Does not change with statistics. */
  get version(): number {
    return this.#version
  }

  get(table: { readonly database: string; readonly name: string }): CatalogEntry | undefined {
    return this.#entries.get(tableKey(table))
  }

  all(): readonly CatalogEntry[] {
    return [...this.#entries.values()]
  }

  /**
   * Returns the listed tables that must be fetched: unknown tables, changed tables, and tables that were fetched too long ago.
   */
  stale(listed: readonly ListedTable[], now: number): readonly ListedTable[] {
    const oldest = now - CATALOG_LIMITS.structureSeconds * 1_000
    return listed.filter(table => {
      const entry = this.get(table)
      return entry?.fingerprint !== table.fingerprint || !entry.settled || entry.fetchedAt < oldest
    })
  }

  /** Stores a new entry for a table. Keeps the old statistics if the columns are unchanged. */
  replace(entry: CatalogEntry): void {
    const before = this.get(entry)
    const isSame = before?.fingerprint === entry.fingerprint && shape(before) === shape(entry)
    this.#set(isSame && before.statistics ? { ...entry, statistics: before.statistics } : entry)
  }

  /**
   * Takes over entries from other processes if they are newer: later definitions, and later statistics for the same definition.
   */
  async merge(entries: readonly CatalogEntry[], breathe = breather()): Promise<void> {
    await eachInSlices(entries, entry => this.#mergeOne(entry), breathe)
  }

  /** Adds statistics that were gathered for `entry`. Drops them if the table's definition has changed in the meantime. */
  take(entry: CatalogEntry, statistics: TableStatistics): void {
    const here = this.get(entry)
    if (here?.fingerprint === entry.fingerprint) this.#set({ ...here, statistics })
  }

  dropUnlisted(listed: readonly ListedTable[]): void {
    const keys = new Set(listed.map(tableKey))
    for (const key of this.#entries.keys()) {
      if (keys.has(key)) continue
      this.#entries.delete(key)
      this.#version++
    }
  }

  #mergeOne(entry: CatalogEntry): void {
    const here = this.get(entry)
    const isNewer = here === undefined || entry.fetchedAt > here.fetchedAt
    const isSame = here?.fingerprint === entry.fingerprint
    if (isNewer) this.#set({ ...entry, statistics: isSame ? newer(here.statistics, entry.statistics) : entry.statistics })
    else if (isSame && newer(here.statistics, entry.statistics) !== here.statistics) {
      this.#set({ ...here, statistics: entry.statistics })
    }
  }

  #set(entry: CatalogEntry): void {
    const key = tableKey(entry)
    const before = this.#entries.get(key)
    if (before?.fingerprint !== entry.fingerprint || before.fetchedAt !== entry.fetchedAt) this.#version++
    this.#entries.set(key, entry)
  }
}

function shape(entry: CatalogEntry): string {
  return JSON.stringify(entry.columns.map(column => [column.name, column.type]))
}

/** Returns the statistics that were gathered later. If both were gathered at the same time, returns the first. */
function newer(one: TableStatistics | undefined, other: TableStatistics | undefined): TableStatistics | undefined {
  return (other?.gatheredAt ?? 0) > (one?.gatheredAt ?? 0) ? other : one
}
