import { z } from 'zod'

/** The reads of one table. */
const tableCostSchema = z.object({
  /** `database.table` */
  table: z.string(),
  rows: z.number(),
  /** Uncompressed bytes of the columns that are read. */
  bytes: z.number(),
  /** The columns that are read, with their part of `bytes`, widest first. */
  columns: z.array(z.object({ name: z.string(), bytes: z.number() })).readonly(),
})
export type TableCost = z.infer<typeof tableCostSchema>

/** An upper bound of what a query reads. A condition without a key counts as reading everything. */
export const costEstimateSchema = z.object({
  /** The most costly table comes first. */
  tables: z.array(tableCostSchema).readonly(),
  rows: z.number(),
  bytes: z.number(),
  /** The most rows of a join without a condition. 0 if there is none. */
  joinedRows: z.number(),
  /** Tables of unknown size, as `database.table`: remote ones, files, other databases. The sums leave them out. */
  unknown: z.array(z.string()).readonly(),
  /** True if the query could not be planned. Then rows are those of all named tables, and bytes are unknown. */
  isCatalog: z.boolean().optional(),
})
export type CostEstimate = z.infer<typeof costEstimateSchema>

/** `unestimated` says nothing about the query. Fall back to `estimateByCatalog`. */
export type CostVerdict =
  | { readonly verdict: 'estimated'; readonly estimate: CostEstimate }
  | { readonly verdict: 'unestimated'; readonly reason: string }
