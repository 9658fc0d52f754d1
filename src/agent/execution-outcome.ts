import { z } from 'zod'
import { costEstimateSchema } from '../clickhouse/cost/cost-estimate.ts'
import { WAREHOUSE_ERROR_KINDS } from '../clickhouse/error-routes.ts'
import { multipliedRowsSchema } from '../clickhouse/validation/query-validator.ts'
import { columnsSchema, rowsSchema } from './run-result.ts'

/** Names that exist and may have been meant. */
const namesSchema = z.array(z.string()).readonly()

/** What the query reads, as `database.table`; null where the guard could not be asked. */
const tablesSchema = z.array(z.string()).readonly().nullable()

export const executionOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rejected'), code: z.string(), message: z.string(), near: namesSchema }),
  z.object({
    kind: z.literal('failed'),
    error: z.enum(WAREHOUSE_ERROR_KINDS),
    message: z.string(),
    /** As the guard printed it; empty where the guard could not be asked. */
    canonical: z.string(),
    tables: tablesSchema,
    estimate: costEstimateSchema.nullable(),
    near: namesSchema,
    unknownColumn: z.string().optional(),
  }),
  /** Over the budget: nothing was run. `excess` is the end of "it …". */
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
    /** Why it ran without having been checked before; null when it was. */
    unchecked: z.string().nullable(),
    /** The doubt that the check before it found. */
    doubt: multipliedRowsSchema.optional(),
  }),
])

/** What became of a piece of SQL: refused by the guard, found wrong by the engine before it ran or then, too expensive, or its rows. Failures are values: most go back to the model. */
export type ExecutionOutcome = z.infer<typeof executionOutcomeSchema>
export type SucceededOutcome = Extract<ExecutionOutcome, { readonly kind: 'succeeded' }>
