import { CATALOG_LIMITS } from '../limits.ts'
import { type ListedTable, type PartDigest, tableKey } from './listed-table.ts'
import type { CatalogReader } from './reader.ts'

export interface TableList {
  /**
   * Returns the current list of tables. If a large catalog has not changed, returns the same array as before.
   * @throws WarehouseError
   */
  read(signal: AbortSignal): Promise<readonly ListedTable[]>
}

/**
 * Reads the list of tables. A large catalog is split into parts. One query returns a digest per part, and only parts with a new
 * digest are read. So each turn is cheap, however many tables there are. Row counts change all the time and are not in the
 * digest, so a background task refreshes them.
 */
export function createTableList(
  reader: Pick<CatalogReader, 'tables' | 'digests'>,
  { now }: { readonly now: () => number },
): TableList {
  let list: readonly ListedTable[] | undefined
  /** The parts of the catalog, by part number. A part without tables has no entry. */
  let parts: ReadonlyMap<number, Part> = new Map()
  let rowsReadAt = 0
  let readingRows: Promise<void> | undefined

  async function readLarge(digests: readonly PartDigest[], signal: AbortSignal): Promise<readonly ListedTable[]> {
    const isAllDue = parts.size === 0
    const changed = digests.filter(({ part, digest }) => parts.get(part)?.digest !== digest).map(({ part }) => part)
    const known = new Set(digests.map(({ part }) => part))
    const isGone = [...parts.keys()].some(part => !known.has(part))
    if (changed.length === 0 && !isGone && list !== undefined) return list
    parts = await readParts(reader, digests, changed, parts, signal)
    if (isAllDue) rowsReadAt = now()
    list = merged(parts)
    return list
  }

  function readRowsBeside(digests: readonly PartDigest[], signal: AbortSignal): void {
    if (readingRows !== undefined || now() - rowsReadAt < CATALOG_LIMITS.rowsSeconds * 1_000) return
    rowsReadAt = now()
    const all = digests.map(({ part }) => part)
    readingRows = readParts(reader, digests, all, parts, signal)
      .then(read => {
        parts = read
        list = merged(read)
      })
      // If this fails, the row counts only stay old until the next attempt.
      .catch(() => undefined)
      .finally(() => {
        readingRows = undefined
      })
  }

  /** Stores a list that was read in a single query, without parts. */
  function keep(read: readonly ListedTable[]): readonly ListedTable[] {
    parts = new Map()
    list = read
    return read
  }

  return {
    read: async signal => {
      const { largeTables } = CATALOG_LIMITS
      if (list === undefined || list.length <= largeTables) {
        const small = await reader.tables(signal, { most: largeTables + 1 })
        if (small.length <= largeTables) return keep(small)
      }
      const digests = await reader.digests(signal)
      const count = digests.reduce((sum, { tables }) => sum + tables, 0)
      if (count > largeTables && digests.every(({ isDated }) => isDated)) {
        const current = await readLarge(digests, signal)
        readRowsBeside(digests, signal)
        return current
      }
      return keep(await reader.tables(signal))
    },
  }
}

interface Part {
  readonly digest: string
  readonly tables: readonly ListedTable[]
}

async function readParts(
  reader: Pick<CatalogReader, 'tables'>,
  digests: readonly PartDigest[],
  changed: readonly number[],
  before: ReadonlyMap<number, Part>,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Part>> {
  const read: ListedTable[] = []
  for (let start = 0; start < changed.length; start += CATALOG_LIMITS.partsPerRead) {
    read.push(...(await reader.tables(signal, { parts: changed.slice(start, start + CATALOG_LIMITS.partsPerRead) })))
  }
  return new Map(
    digests.map(({ part, digest }) => {
      const same = before.get(part)
      if (!changed.includes(part) && same !== undefined) return [part, same]
      const tables = read.filter(table => table.part === part)
      // Modification times are whole seconds. So a table that has just changed may change again without a new digest. The empty
      // digest makes the next turn read this part again.
      const isSettled = tables.every(({ ageSeconds }) => ageSeconds >= CATALOG_LIMITS.settledAfterSeconds)
      return [part, { digest: isSettled ? digest : '', tables }]
    }),
  )
}

function merged(parts: ReadonlyMap<number, Part>): readonly ListedTable[] {
  return [...parts.values()]
    .flatMap(({ tables }) => tables)
    .map(table => ({ table, key: tableKey(table) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ table }) => table)
}
