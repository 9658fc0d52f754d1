import { z } from 'zod'
import { costEstimateSchema } from '../../warehouse/cost/estimate.ts'
import { dataEdgesSchema } from '../../warehouse/data-edges.ts'
import { WAREHOUSE_ERROR_KINDS } from '../../warehouse/error-routes.ts'
import { multipliedRowsSchema } from '../../warehouse/query-validator.ts'
import { columnsSchema, rowsSchema } from '../run/result.ts'

/** Existing names that are similar to a wrong one. */
const namesSchema = z.array(z.string()).readonly()

/** The tables that the query reads, as `database.table`. Null if the guard did not answer. */
const tablesSchema = z.array(z.string()).readonly().nullable()

export const executionOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rejected'), code: z.string(), message: z.string(), near: namesSchema }),
  z.object({
    kind: z.literal('failed'),
    error: z.enum(WAREHOUSE_ERROR_KINDS),
    message: z.string(),
    /** The SQL as the guard prints it. Empty if the guard did not answer. */
    canonical: z.string(),
    tables: tablesSchema,
    estimate: costEstimateSchema.nullable(),
    near: namesSchema,
    unknownColumn: z.string().optional(),
  }),
  /** The query is over the budget, so nothing ran. `excess` says by how much, as the end of a sentence that starts with "it". */
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
    /**
     * The number of rows of the whole result, if the result was cut. Absent if it was not cut, or if counting failed or took too
     * long.
     */
    total_rows: z.number().optional(),
    elapsed_ms: z.number(),
    /** Why the query ran without a check. Null if it was checked. */
    unchecked: z.string().nullable(),
    /** A join that may count rows several times, if the check found one. */
    doubt: multipliedRowsSchema.optional(),
    /** Where the data begin or end. Set if the query asks for a period that reaches beyond them. */
    edges: dataEdgesSchema.optional(),
  }),
])

/**
 * The outcome of SQL: the guard refused it, the engine refused it, it is too expensive, or it returned rows. A failure is a value
 * and is not thrown, because most failures go back to the model.
 */
export type ExecutionOutcome = z.infer<typeof executionOutcomeSchema>
export type SucceededOutcome = Extract<ExecutionOutcome, { readonly kind: 'succeeded' }>
