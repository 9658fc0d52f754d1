import { z } from 'zod'
import { filterFindingSchema } from '../clickhouse/filters/filter-finding.ts'
import { multipliedRowsSchema } from '../clickhouse/validation/query-validator.ts'
import type { Cell } from '../clickhouse/warehouse.ts'
import type { Language } from '../words/language.ts'
import { chartRequestSchema } from './charts/chart-request.ts'
import { definitionsUsedSchema } from './domain/definitions-used.ts'
import type { Interrupt } from './interrupt.ts'
import type { LINEAGE } from './investigation.ts'
import type { Picture } from './picture.ts'

export const INTENTS = ['data_analysis', 'conversational', 'out_of_scope', 'catalog', 'pipeline_draft'] as const
export type Intent = (typeof INTENTS)[number]

const cellSchema: z.ZodType<Cell> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(cellSchema), z.record(z.string(), cellSchema)]),
)
export const columnsSchema = z.array(z.object({ name: z.string(), type: z.string() })).readonly()
export const rowsSchema = z.array(z.array(cellSchema).readonly()).readonly()

/** A query that went wrong: its SQL, and what is said of it to the model and to the person. */
export const failedAttemptSchema = z.object({
  sql: z.string(),
  /**
   * `guard`, `model`, `model_away`, the kind of the warehouse's error, `empty` (it ran, found nothing, and that looked wrong), `cost` (over the budget) or `stopped` (by the
   * person, who was asked about the cost).
   */
  kind: z.string(),
  message: z.string(),
  /** What the person can ask instead, where the attempt itself tells. */
  advice: z.string().optional(),
  /** Names that exist and may have been meant: tables as `database.table`, columns as they are called or with their table. */
  near: z.array(z.string()).readonly(),
  /** The column that it named and that does not exist, or not there. */
  unknown_column: z.string().optional(),
  /** For `empty`: the reason why that looked wrong, for the person. */
  found_wrong: z.string().optional(),
})
export type FailedAttempt = z.infer<typeof failedAttemptSchema>

/** What is thought of a result without rows, or of one row of nothing but 0, NULL or NaN. */
export const reviewSchema = z.object({ verdict: z.enum(['expected', 'suspicious']), reason: z.string() })

/** One data question with what became of it, as `clew ask --json` prints it. */
export const queryReportSchema = z.object({
  id: z.string(),
  question: z.string(),
  /** The text that ran, or that was tried last; null when none was written. */
  sql: z.string().nullable(),
  /** What that reads, as `database.table`; null where it is not known. */
  tables: z.array(z.string()).readonly().nullable(),
  explanation: z.string(),
  /** What the SQL decided that the question left open; those of `deciding_assumptions` come first. */
  assumptions: z.array(z.string()),
  /** Those of the assumptions under which another sensible reading gives another answer. */
  deciding_assumptions: z.array(z.string()),
  columns: columnsSchema,
  rows: rowsSchema,
  row_count: z.number(),
  truncated: z.boolean(),
  attempts: z.number(),
  error: z.string().nullable(),
  elapsed_ms: z.number(),
  /** Why the query ran without having been checked before; null when it was. */
  unchecked: z.string().nullable(),
  /** A join that may count rows several times, as the check before it found; absent where it found none. */
  doubt: multipliedRowsSchema.optional(),
  /** What a model said of an empty result; null when the result was not empty, or could not be judged. */
  review: reviewSchema.nullable(),
  /** What the warehouse holds of the columns that an empty query filters on, or that filtered on before it was written anew. */
  look_up: z.array(filterFindingSchema).readonly(),
  /** Why the query asks for less than the data question did: it would have cost too much. */
  narrowed: z.string().nullable(),
  /** What people have defined or verified that it rests on; null for nothing. */
  definitions: definitionsUsedSchema.nullable().default(null),
  /** The latest time in what a verified query read: a moment (ISO 8601), or a day. Absent where it is not known. */
  data_until: z.string().optional(),
  /** How its writer would have the result drawn; null where not at all. */
  chart: chartRequestSchema.nullable(),
  /** The attempts that failed, in order; the last one is `error`'s where the query failed for good. */
  failed_attempts: z.array(failedAttemptSchema),
})
export type QueryReport = z.infer<typeof queryReportSchema>
/** A query with its rows, without what its writer says of it: that comes after the SQL, and is not waited for to write the answer. */
export type UnexplainedQuery = Omit<QueryReport, 'explanation' | 'assumptions' | 'deciding_assumptions' | 'chart'>

export interface StepReport {
  readonly step: string
  readonly query?: string
  readonly started_at: string
  readonly duration_ms: number
  readonly attempt: number
  readonly error: string | null
  /** Why it counted for nothing, where it was begun ahead of time and was not needed. */
  readonly cancelled?: string
  readonly model: string | null
  readonly tokens_in: number | null
  readonly tokens_out: number | null
  /** Where the endpoint did not say, or the call was cancelled before it could. */
  readonly tokens_estimated?: true
}

/** How the answer's sentences compare with the rows that they cite. */
export interface CitationReport {
  /** Sentences, bullets and table rows that were compared. */
  readonly checked: number
  /** Those that do not follow from the rows, as they were first written; each is marked in the answer. */
  readonly unsupported: readonly string[]
}

/** How far an answer from queries can be relied on, by the rules of `confidence.ts`. */
export type ConfidenceLevel = 'HIGH' | 'MEDIUM' | 'LOW'

/** What a run returns; `clew ask --json` prints it as it is. */
export interface RunResult {
  readonly run_id: string
  /** `lineage`: a look into a pipeline's run; its queries are the evidence. */
  readonly intent: Intent | typeof LINEAGE
  readonly standalone_question: string
  /** In which a program speaks of the answer. */
  readonly language: Language
  /** Markdown. */
  readonly answer: string
  /** null where the answer rests on no query. */
  readonly confidence: ConfidenceLevel | null
  /** Why it is not HIGH, in bare sentences. */
  readonly confidence_reason: string | null
  /** Bare sentences that a program added at the end of `answer`; empty where it added none. */
  readonly note: string
  /** What the person is asked; `answer` has it in words. null where the question was answered. */
  readonly interrupt: Interrupt | null
  readonly queries: readonly QueryReport[]
  /** One chart of one query's rows, or the graph of a pipeline's run; null where neither says more than words. */
  readonly chart: Picture | null
  /** null where no query was run. */
  readonly citations: CitationReport | null
  readonly steps: readonly StepReport[]
}
