import { z } from 'zod'

/** The rows and bytes that a query reads from one table. */
const tableCostSchema = z.object({
  /** The table, as `database.table`. */
  table: z.string(),
  rows: z.number(),
  /** The uncompressed size of the columns that the query reads, in bytes. */
  bytes: z.number(),
  /** The columns that the query reads, each with its share of `bytes`. The largest comes first. */
  columns: z.array(z.object({ name: z.string(), bytes: z.number() })).readonly(),
})
export type TableCost = z.infer<typeof tableCostSchema>

/** An upper bound of the rows and bytes that a query reads. If no condition uses a key, this includes all rows of the table. */
export const costEstimateSchema = z.object({
  /** The tables that the query reads. The table with the highest cost comes first. */
  tables: z.array(tableCostSchema).readonly(),
  rows: z.number(),
  bytes: z.number(),
  /** The number of rows that a join without a condition may produce. 0 if the query has no such join. */
  joinedRows: z.number(),
  /** Tables of unknown size, as `database.table`: remote tables, files, tables in other databases. `rows` and `bytes` do not include them. */
  unknown: z.array(z.string()).readonly(),
  /**
   * True if the engine did not plan the query. `rows` is then the number of all rows in the tables of the query, and the bytes
   * are unknown.
   */
  isCatalog: z.boolean().optional(),
})
export type CostEstimate = z.infer<typeof costEstimateSchema>

/** The result of an estimate. `unestimated` means that no plan exists; the caller then uses `estimateByCatalog`. */
export type CostVerdict =
  | { readonly verdict: 'estimated'; readonly estimate: CostEstimate }
  | { readonly verdict: 'unestimated'; readonly reason: string }
