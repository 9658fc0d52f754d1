import { z } from 'zod'

/** The rows and bytes that a query reads from one table. */
const tableCostSchema = z.object({
  /** The table, as `database.table`. */
  table: z.string(),
  rows: z.number(),
  /** The uncompressed size of the columns that the query reads, in bytes. */
  bytes: z.number(),
  /** The columns that the query reads, each with its part of `bytes`. The largest comes first. */
  columns: z.array(z.object({ name: z.string(), bytes: z.number() })).readonly(),
})
export type TableCost = z.infer<typeof tableCostSchema>

/** The most rows and bytes that a query can read. If no condition uses a table's key, these are all rows of the table. */
export const costEstimateSchema = z.object({
  /** The tables that the query reads. The table with the highest cost comes first. */
  tables: z.array(tableCostSchema).readonly(),
  rows: z.number(),
  bytes: z.number(),
  /** The number of rows that a join without a condition may produce. 0 if the query has no such join. */
  joinedRows: z.number(),
  /**
   * Tables of unknown size, as `database.table`: remote tables, files, and tables in other databases. They are not included in
   * `rows` and `bytes`.
   */
  unknown: z.array(z.string()).readonly(),
  /**
   * True if the engine did not plan the query. Then `rows` are all rows of the query's tables, and `bytes` is 0 because the bytes
   * are unknown.
   */
  isCatalog: z.boolean().optional(),
})
export type CostEstimate = z.infer<typeof costEstimateSchema>

/** The result of an estimate. `unestimated`: the engine gave no plan, so the caller uses `estimateByCatalog` instead. */
export type CostVerdict =
  | { readonly verdict: 'estimated'; readonly estimate: CostEstimate }
  | { readonly verdict: 'unestimated'; readonly reason: string }
