import { z } from 'zod'
import { costEstimateSchema } from '../../warehouse/cost/estimate.ts'
import { dataEdgesSchema } from '../../warehouse/data-edges.ts'
import { WAREHOUSE_ERROR_KINDS } from '../../warehouse/error-routes.ts'
import { multipliedRowsSchema } from '../../warehouse/query-validator.ts'
import { columnsSchema, rowsSchema } from '../run/result.ts'

/** Similar names that exist. */
const namesSchema = z.array(z.string()).readonly()

/** The tables read, as `database.table`; null if the guard could not be asked. */
const tablesSchema = z.array(z.string()).readonly().nullable()

export const executionOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rejected'), code: z.string(), message: z.string(), near: namesSchema }),
  z.object({
    kind: z.literal('failed'),
    error: z.enum(WAREHOUSE_ERROR_KINDS),
    message: z.string(),
    /** The guard's output; empty if it could not be asked. */
    canonical: z.string(),
    tables: tablesSchema,
    estimate: costEstimateSchema.nullable(),
    near: namesSchema,
    unknownColumn: z.string().optional(),
  }),
  /** Over the budget, so nothing ran. `excess` completes a sentence that starts with "it". */
  z.object({
    kind: z.literal('costly'),
    excess: z.string(),
    canonical: z.string(),
    tables: tablesSchema,
    estimate: costEstimateSchema,
  }),
  z.object({
    kind: z.literal('succeeded'),
    sql: z.string(),
    tables: tablesSchema,
    columns: columnsSchema,
    rows: rowsSchema,
    truncated: z.boolean(),
    elapsed_ms: z.number(),
    /** Why it ran without a check; null if it was checked. */
    unchecked: z.string().nullable(),
    /** The doubt from the check. */
    doubt: multipliedRowsSchema.optional(),
    /** Where the data begin or end within the period that was asked for; absent where they cover it. */
    edges: dataEdgesSchema.optional(),
  }),
])

/**
 * The outcome of a piece of SQL: refused by the guard, refused by the engine, too expensive, or rows. Failures are values,
 * because most go back to the model.
 */
export type ExecutionOutcome = z.infer<typeof executionOutcomeSchema>
export type SucceededOutcome = Extract<ExecutionOutcome, { readonly kind: 'succeeded' }>
