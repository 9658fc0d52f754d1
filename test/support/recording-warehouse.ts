import type { QueryResult, ReadQuery, Warehouse } from '../../src/warehouse/warehouse.ts'

export interface RecordedRead {
  readonly sql: string
  /** The result of the read. Undefined if the read failed. */
  readonly result: QueryResult | undefined
}

/** Returns a warehouse that forwards everything to another warehouse, and records each read. */
export function recordReads(warehouse: Warehouse): { readonly warehouse: Warehouse; readonly reads: RecordedRead[] } {
  const reads: RecordedRead[] = []
  const recording = {
    description: warehouse.description,
    async read(query: ReadQuery, signal: AbortSignal) {
      try {
        const result = await warehouse.read(query, signal)
        reads.push({ sql: query.sql, result })
        return result
      } catch (error) {
        reads.push({ sql: query.sql, result: undefined })
        throw error
      }
    },
    readOwn: (query, signal) => warehouse.readOwn(query, signal),
    write: (statement, signal) => warehouse.write(statement, signal),
    close: () => warehouse.close(),
  } satisfies Warehouse
  return { warehouse: recording, reads }
}
