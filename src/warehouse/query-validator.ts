import { z } from 'zod'
import type { CostEstimate, CostVerdict } from './cost/estimate.ts'
import type { WarehouseErrorKind } from './error.ts'
import type { Schema } from './schema.ts'
import type { GuardVerdict } from './sql-guard.ts'

/** A query that the guard allowed. */
export type AllowedQuery = Pick<Extract<GuardVerdict, { verdict: 'allow' }>, 'canonical' | 'tables' | 'tree' | 'aggregates'>

/** The parts of a query that explain its errors. */
export type QueryText = Pick<AllowedQuery, 'canonical' | 'tables'>

/** A query's fault, for the next attempt. */
export interface Explanation {
  /** One or two short sentences. */
  readonly message: string
  /** Existing names that may have been meant, best first. */
  readonly suggestions: readonly string[]
  /** The column that does not exist where the query looks for it. */
  readonly unknownColumn?: string | undefined
}

/** A table whose rows a sum or average counts several times, and the table joined to it. */
export const multipliedRowsSchema = z.object({
  table: z.string(),
  by: z.string(),
  /** The column of `by` with the same value in several rows. */
  column: z.string(),
})
export type MultipliedRows = z.infer<typeof multipliedRowsSchema>

/** `unchecked` says nothing about the query: run it, and let the engine decide. */
export type ValidationVerdict =
  | {
      readonly verdict: 'valid'
      readonly cost: CostVerdict
      /** A likely mistake, for the next attempt. Absent if there is none. */
      readonly doubt?: { readonly message: string; readonly found: MultipliedRows } | undefined
    }
  | ({ readonly verdict: 'invalid'; readonly kind: WarehouseErrorKind } & Explanation)
  | { readonly verdict: 'unchecked'; readonly reason: string; readonly cost: CostVerdict }

/** The context of a check. */
export interface CheckContext {
  /** The source of near names. */
  readonly schema: Schema
  /** The source of rows and widths. Default: `schema`. */
  readonly whole?: Schema
  /** Whether a cost is acceptable, so that the exact one need not be awaited. Default: always. */
  readonly isAffordable?: (cost: CostEstimate) => boolean
  /** The query may repeat a pipeline's query with its mistakes. Only errors that prevent a run, and the cost, count. */
  readonly asItStands?: boolean
}

/** Finds faults and cost of a query before it runs, without a model. */
export interface QueryValidator {
  /** @throws WarehouseError of kind `cancelled` only */
  check(query: AllowedQuery, context: CheckContext, signal: AbortSignal): Promise<ValidationVerdict>
}
