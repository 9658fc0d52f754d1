import { z } from 'zod'
import type { CostEstimate, CostVerdict } from './cost/estimate.ts'
import type { WarehouseError, WarehouseErrorKind } from './error.ts'
import type { Schema } from './schema.ts'
import type { GuardVerdict } from './sql-guard.ts'

export type AllowedQuery = Pick<Extract<GuardVerdict, { verdict: 'allow' }>, 'canonical' | 'tables' | 'tree'>

/** The parts of a checked query that an explanation of its errors needs. */
export type QueryText = Pick<AllowedQuery, 'canonical' | 'tables'>

/** Explains a mistake in a query, so that the model can correct it in its next attempt. */
export interface Explanation {
  /** The explanation in one or two short sentences. */
  readonly message: string
  /** Existing names that the query may have meant, the most likely first. */
  readonly suggestions: readonly string[]
  /** The unknown column. It does not exist where the query uses it. */
  readonly unknownColumn?: string | undefined
}

/**
 * A likely mistake: the join with the table `by` repeats rows of `table`. A sum or average over `table` then includes these rows
 * several times.
 */
export const multipliedRowsSchema = z.object({
  table: z.string(),
  by: z.string(),
  /** The joined column of the table `by`. Several of its rows share a value in this column. */
  column: z.string(),
})
export type MultipliedRows = z.infer<typeof multipliedRowsSchema>

/** The result of a check. `unchecked`: the check was not possible, so the caller runs the query and sees what the engine says. */
export type ValidationVerdict =
  | {
      readonly verdict: 'valid'
      readonly cost: CostVerdict
      /** A likely mistake that the model may correct in its next attempt. Undefined if the check found none. */
      readonly doubt?: { readonly message: string; readonly found: MultipliedRows } | undefined
    }
  | ({ readonly verdict: 'invalid'; readonly kind: WarehouseErrorKind } & Explanation)
  | { readonly verdict: 'unchecked'; readonly reason: string; readonly cost: CostVerdict }

/** The context in which a query is checked. */
export interface ValidationContext {
  /** The schema from which an explanation takes similar names. */
  readonly schema: Schema
  /** The schema from which the estimate takes row counts and column widths. Default: `schema`. */
  readonly whole?: Schema
  /**
   * Decides whether a cost is acceptable. If an upper bound of the cost already is, the check does not wait for a slow plan with
   * the exact cost. Default: the check always waits.
   */
  readonly isAffordable?: (cost: CostEstimate) => boolean
  /**
   * True for a query that must stay unchanged, because it repeats a pipeline's query. The check then reports only its cost and
   * errors that prevent a run.
   */
  readonly asItStands?: boolean
}

/** Finds the mistakes and the cost of a query before it runs. Asks no model. */
export interface QueryValidator {
  /** @throws WarehouseError only of kind `cancelled` */
  check(query: AllowedQuery, context: ValidationContext, signal: AbortSignal): Promise<ValidationVerdict>
  /**
   * Explains why a query failed. The explanation names no server, user or file.
   * @param query the allowed query; undefined if the guard itself failed
   * @param schema the schema from which the explanation takes similar names
   */
  explain(error: WarehouseError, query: QueryText | undefined, schema: Schema): Explanation
}
