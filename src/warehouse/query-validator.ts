import { z } from 'zod'
import type { CostEstimate, CostVerdict } from './cost/estimate.ts'
import type { WarehouseErrorKind } from './error.ts'
import type { Schema } from './schema.ts'
import type { GuardVerdict } from './sql-guard.ts'

/** A query that the guard has allowed. */
export type AllowedQuery = Pick<Extract<GuardVerdict, { verdict: 'allow' }>, 'canonical' | 'tables' | 'tree' | 'aggregates'>

/** The text and tables of a query, which are needed to explain its errors. */
export type QueryText = Pick<AllowedQuery, 'canonical' | 'tables'>

/** Explains a mistake in a query, for the model's next attempt. */
export interface Explanation {
  /** One or two short sentences. */
  readonly message: string
  /** Existing names that were possibly meant, best first. */
  readonly suggestions: readonly string[]
  /** The column that does not exist at the place where the query uses it. */
  readonly unknownColumn?: string | undefined
}

/** A sum or average counts rows of `table` several times, because the query joins this table with the table `by`. */
export const multipliedRowsSchema = z.object({
  table: z.string(),
  by: z.string(),
  /** The column of the table `by` that has the same value in several rows. */
  column: z.string(),
})
export type MultipliedRows = z.infer<typeof multipliedRowsSchema>

/** `unchecked` says nothing about the query. The caller runs the query, and the engine decides. */
export type ValidationVerdict =
  | {
      readonly verdict: 'valid'
      readonly cost: CostVerdict
      /** A likely mistake, which the model may correct in its next attempt. Absent if there is none. */
      readonly doubt?: { readonly message: string; readonly found: MultipliedRows } | undefined
    }
  | ({ readonly verdict: 'invalid'; readonly kind: WarehouseErrorKind } & Explanation)
  | { readonly verdict: 'unchecked'; readonly reason: string; readonly cost: CostVerdict }

/** The context in which a query is checked. */
export interface ValidationContext {
  /** Suggestions of near names come from this schema. */
  readonly schema: Schema
  /** Row counts and widths of columns come from this schema. Default: `schema`. */
  readonly whole?: Schema
  /** Whether an estimated cost is acceptable. Then the check does not wait for the exact cost. Default: every cost is acceptable. */
  readonly isAffordable?: (cost: CostEstimate) => boolean
  /**
   * True for a query that repeats the query of a pipeline, including its mistakes. Then the check reports only the cost, and errors that prevent a
   * run.
   */
  readonly asItStands?: boolean
}

/** Finds the mistakes and the cost of a query before it runs, without asking a model. */
export interface QueryValidator {
  /** @throws WarehouseError of kind `cancelled` only */
  check(query: AllowedQuery, context: ValidationContext, signal: AbortSignal): Promise<ValidationVerdict>
}
