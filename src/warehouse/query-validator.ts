import { z } from 'zod'
import type { CostEstimate, CostVerdict } from './cost/estimate.ts'
import type { WarehouseErrorKind } from './error.ts'
import type { Schema } from './schema.ts'
import type { GuardVerdict } from './sql-guard.ts'

export type AllowedQuery = Pick<Extract<GuardVerdict, { verdict: 'allow' }>, 'canonical' | 'tables' | 'tree' | 'aggregates'>

/** The text and the tables of a query, for explaining its errors. */
export type QueryText = Pick<AllowedQuery, 'canonical' | 'tables'>

/** Explains a mistake in a query, for the model's next attempt. */
export interface Explanation {
  /** One or two short sentences. */
  readonly message: string
  /** Existing names that may have been meant, best first. */
  readonly suggestions: readonly string[]
  /** The column that does not exist where the query uses it. */
  readonly unknownColumn?: string | undefined
}

/** A sum or average counts rows of `table` several times. The reason is the query's join with the table `by`. */
export const multipliedRowsSchema = z.object({
  table: z.string(),
  by: z.string(),
  /** The column of `by` that has the same value in several rows. */
  column: z.string(),
})
export type MultipliedRows = z.infer<typeof multipliedRowsSchema>

/** The result of a check. After `unchecked`, the caller runs the query, and the engine decides. */
export type ValidationVerdict =
  | {
      readonly verdict: 'valid'
      readonly cost: CostVerdict
      /** A likely mistake that the model may correct in its next attempt. Absent if there is none. */
      readonly doubt?: { readonly message: string; readonly found: MultipliedRows } | undefined
    }
  | ({ readonly verdict: 'invalid'; readonly kind: WarehouseErrorKind } & Explanation)
  | { readonly verdict: 'unchecked'; readonly reason: string; readonly cost: CostVerdict }

/** The context in which a query is checked. */
export interface ValidationContext {
  /** Similar names in suggestions come from this schema. */
  readonly schema: Schema
  /** Row counts and widths of columns come from this schema. Default: `schema`. */
  readonly whole?: Schema
  /**
   * Whether an estimated cost is acceptable. If so, the check does not wait for the exact cost. Default: every cost is acceptable.
   */
  readonly isAffordable?: (cost: CostEstimate) => boolean
  /**
   * True for a query that must stay as it is, because it repeats a pipeline's query. If true, the check reports only the cost, and errors that
   * prevent a run.
   */
  readonly asItStands?: boolean
}

/** Finds the mistakes and the cost of a query before it runs, without asking a model. */
export interface QueryValidator {
  /** @throws WarehouseError of kind `cancelled` only */
  check(query: AllowedQuery, context: ValidationContext, signal: AbortSignal): Promise<ValidationVerdict>
}
