import { z } from 'zod'

/** The data that a query reads from one table. */
const tableCostSchema = z.object({
  /** The table, as `database.table`. */
  table: z.string(),
  rows: z.number(),
  /** Uncompressed bytes of the columns that the query reads. */
  bytes: z.number(),
  /** The columns that the query reads, widest first. Each has its share of `bytes`. */
  columns: z.array(z.object({ name: z.string(), bytes: z.number() })).readonly(),
})
export type TableCost = z.infer<typeof tableCostSchema>

/** An upper bound of the rows and bytes that a query reads. If a condition uses no key, the whole table counts. */
export const costEstimateSchema = z.object({
  /** The most costly table comes first. */
  tables: z.array(tableCostSchema).readonly(),
  rows: z.number(),
  bytes: z.number(),
  /** The maximum number of rows that a join without a condition makes. 0 if the query has no such join. */
  joinedRows: z.number(),
  /** Tables of unknown size, as `database.table`: remote tables, files, tables in other databases. The sums leave them out. */
  unknown: z.array(z.string()).readonly(),
  /** True if the query could not be planned. If so, `rows` counts all rows of the named tables, and the bytes are unknown. */
  isCatalog: z.boolean().optional(),
})
export type CostEstimate = z.infer<typeof costEstimateSchema>

/** The result of an estimate. `unestimated` means that there is no estimate from a plan, so the caller uses `estimateByCatalog`. */
export type CostVerdict =
  | { readonly verdict: 'estimated'; readonly estimate: CostEstimate }
  | { readonly verdict: 'unestimated'; readonly reason: string }
