import { z } from 'zod'

/** What is read of one table. */
const tableCostSchema = z.object({
  /** `database.table` */
  table: z.string(),
  rows: z.number(),
  /** Uncompressed, of the columns that are read. */
  bytes: z.number(),
  /** The columns that are read, with their part of `bytes`; the widest first. */
  columns: z.array(z.object({ name: z.string(), bytes: z.number() })).readonly(),
})
export type TableCost = z.infer<typeof tableCostSchema>

/** What a query would read if it ran: at most, for a condition that no key answers counts as reading all. */
export const costEstimateSchema = z.object({
  /** What costs most comes first. */
  tables: z.array(tableCostSchema).readonly(),
  rows: z.number(),
  bytes: z.number(),
  /** The most rows that a join without a condition would make; 0 where there is none. */
  joinedRows: z.number(),
  /** Tables of which nothing is known, as `database.table`: remote ones, files, other databases. They count for nothing above. */
  unknown: z.array(z.string()).readonly(),
  /** True where the query could not be planned: the rows are those of the tables it names, by the catalog, and of bytes nothing is known. */
  isCatalog: z.boolean().optional(),
})
export type CostEstimate = z.infer<typeof costEstimateSchema>

/** `unestimated` says nothing about the query: what is known of its tables has to do (`estimateByCatalog`). */
export type CostVerdict =
  | { readonly verdict: 'estimated'; readonly estimate: CostEstimate }
  | { readonly verdict: 'unestimated'; readonly reason: string }
