import { z } from 'zod'
import type { CostEstimate, CostVerdict } from '../cost/cost-estimate.ts'
import type { GuardVerdict } from '../guard/sql-guard.ts'
import type { Schema } from '../schema.ts'
import type { WarehouseErrorKind } from '../warehouse-error.ts'

/** A query that the guard allowed. */
export type AllowedQuery = Pick<Extract<GuardVerdict, { verdict: 'allow' }>, 'canonical' | 'tables' | 'tree' | 'aggregates'>

/** As much of a query as its errors are explained from. */
export type QueryText = Pick<AllowedQuery, 'canonical' | 'tables'>

/** What is wrong with a query, for the next attempt. */
export interface Explanation {
  /** One or two short sentences. */
  readonly message: string
  /** Names that exist and may have been meant, best first. */
  readonly suggestions: readonly string[]
  /** The column that the query names and that there is not where it looks for it. */
  readonly unknownColumn?: string | undefined
}

/** A table of which a sum or an average counts rows several times, and the one that they are joined to. */
export const multipliedRowsSchema = z.object({
  table: z.string(),
  by: z.string(),
  /** The column of `by` that has the same value in several of its rows. */
  column: z.string(),
})
export type MultipliedRows = z.infer<typeof multipliedRowsSchema>

/** `unchecked` says nothing about the query: it is run, and the engine has the last word. */
export type ValidationVerdict =
  | {
      readonly verdict: 'valid'
      readonly cost: CostVerdict
      /** What it most likely does that nobody means, for the next attempt; absent where nothing speaks against it. */
      readonly doubt?: { readonly message: string; readonly found: MultipliedRows } | undefined
    }
  | ({ readonly verdict: 'invalid'; readonly kind: WarehouseErrorKind } & Explanation)
  | { readonly verdict: 'unchecked'; readonly reason: string; readonly cost: CostVerdict }

/** What a query is checked against. */
export interface CheckContext {
  /** Where near names are taken from. */
  readonly schema: Schema
  /** Where rows and widths are taken from; the schema when absent, where all of it may be named. */
  readonly whole?: Schema
  /** Whether a cost is within what the query may cost: then the exact one is not waited for. It always is when absent. */
  readonly isAffordable?: (cost: CostEstimate) => boolean
  /** The query may repeat what a pipeline ran, faults and all: only what keeps it from running counts, and its cost. */
  readonly asItStands?: boolean
}

/** Says before a query runs, without a model, what is wrong with it, and what it would read. */
export interface QueryValidator {
  /** @throws WarehouseError of kind `cancelled` only */
  check(query: AllowedQuery, context: CheckContext, signal: AbortSignal): Promise<ValidationVerdict>
}
