import { z } from 'zod'
import { chartRequestSchema } from '../../charts/chart-request.ts'
import type { Picture } from '../../charts/picture.ts'
import { definitionsUsedSchema } from '../../domain/definitions-used.ts'
import { dataEdgesSchema } from '../../warehouse/data-edges.ts'
import { filterFindingSchema } from '../../warehouse/filter-finding.ts'
import { multipliedRowsSchema } from '../../warehouse/query-validator.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import type { Language } from '../../words/language.ts'
import type { Interrupt } from '../ask-back/interrupt.ts'
import type { LINEAGE } from './investigation.ts'

export const INTENTS = ['data_analysis', 'conversational', 'out_of_scope', 'catalog', 'pipeline_draft'] as const
export type Intent = (typeof INTENTS)[number]

const cellSchema: z.ZodType<Cell> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(cellSchema), z.record(z.string(), cellSchema)]),
)
export const columnsSchema = z.array(z.object({ name: z.string(), type: z.string() })).readonly()
export const rowsSchema = z.array(z.array(cellSchema).readonly()).readonly()

/** A failed query, with texts about it for the model and the person. */
export const failedAttemptSchema = z.object({
  sql: z.string(),
  /**
   * `guard`, `model`, `model_away`, a kind of warehouse error, `empty` (no rows, which looked wrong), `cost` (over the budget) or
   * `stopped` (by the person who was asked about the cost).
   */
  kind: z.string(),
  message: z.string(),
  /** A suggested question, if the attempt itself has one. */
  advice: z.string().optional(),
  /** Similar existing names: tables as `database.table`, columns with or without their table. */
  near: z.array(z.string()).readonly(),
  /** The unknown column in the query. */
  unknown_column: z.string().optional(),
  /** For `empty`: why the result looked wrong, for the person. */
  found_wrong: z.string().optional(),
})
export type FailedAttempt = z.infer<typeof failedAttemptSchema>

export const reviewSchema = z.object({ verdict: z.enum(['expected', 'suspicious']), reason: z.string() })

/** One data question with its outcome, as `clew ask --json` prints it. */
export const queryReportSchema = z.object({
  id: z.string(),
  question: z.string(),
  /** The last SQL that ran or was tried; null if none was written. */
  sql: z.string().nullable(),
  /** The tables read, as `database.table`; null if unknown. */
  tables: z.array(z.string()).readonly().nullable(),
  explanation: z.string(),
  /** Decisions of the SQL that the question leaves open, with `deciding_assumptions` first. */
  assumptions: z.array(z.string()),
  /** Assumptions whose alternatives would change the answer. */
  deciding_assumptions: z.array(z.string()),
  columns: columnsSchema,
  rows: rowsSchema,
  row_count: z.number(),
  truncated: z.boolean(),
  attempts: z.number(),
  error: z.string().nullable(),
  elapsed_ms: z.number(),
  /** Why the query ran without a check; null if it was checked. */
  unchecked: z.string().nullable(),
  /** A join that may count rows several times, as the check found; absent if there is none. */
  doubt: multipliedRowsSchema.optional(),
  /** Where the data begin or end within the period that was asked for; absent where they cover it. */
  edges: dataEdgesSchema.optional(),
  /** A model's opinion of an empty result; null if the result was not empty or could not be judged. */
  review: reviewSchema.nullable(),
  /** The values of the filtered columns, if this query or an earlier form of it was empty. */
  look_up: z.array(filterFindingSchema).readonly(),
  /** Why the query was narrowed; null if it was not. */
  narrowed: z.string().nullable(),
  /** The definitions and verified queries that it uses; null if there are none. */
  definitions: definitionsUsedSchema.nullable().default(null),
  /** The latest time in a verified query's tables: a moment (ISO 8601) or a day. Absent if unknown. */
  data_until: z.string().optional(),
  /** The chart that its writer suggests; null for none. */
  chart: chartRequestSchema.nullable(),
  /** Failed attempts in order. If the query failed, the last one explains `error`. */
  failed_attempts: z.array(failedAttemptSchema),
})
export type QueryReport = z.infer<typeof queryReportSchema>
/** A query with its rows, without its writer's explanation. The answer does not wait for the explanation. */
export type UnexplainedQuery = Omit<QueryReport, 'explanation' | 'assumptions' | 'deciding_assumptions' | 'chart'>

export interface StepReport {
  readonly step: string
  readonly query?: string
  readonly started_at: string
  readonly duration_ms: number
  readonly attempt: number
  readonly error: string | null
  /** Why a step that started ahead of time did not count. */
  readonly cancelled?: string
  readonly model: string | null
  readonly tokens_in: number | null
  readonly tokens_out: number | null
  /** The endpoint did not report the tokens, or the call was cancelled first. */
  readonly tokens_estimated?: true
}

/** The result of checking the answer's sentences against their cited rows. */
export interface CitationReport {
  /** Sentences, bullets and table rows that were checked. */
  readonly checked: number
  /** Unsupported ones in their first wording. The answer marks each. */
  readonly unsupported: readonly string[]
}

/** The reliability of an answer from queries, by the rules of `confidence.ts`. */
export type ConfidenceLevel = 'HIGH' | 'MEDIUM' | 'LOW'

/** The result of a run, which `clew ask --json` prints unchanged. */
export interface RunResult {
  readonly run_id: string
  /** `lineage`: an investigation of a pipeline's run, whose queries are the evidence. */
  readonly intent: Intent | typeof LINEAGE
  readonly standalone_question: string
  /** The language of the program's words about the answer. */
  readonly language: Language
  /** Markdown. */
  readonly answer: string
  /** null if the answer rests on no query. */
  readonly confidence: ConfidenceLevel | null
  /** Why it is not HIGH, in plain sentences. */
  readonly confidence_reason: string | null
  /** Plain sentences that a program added to `answer`; may be empty. */
  readonly note: string
  /** Clew's question to the person, which `answer` repeats in words; null if there is none. */
  readonly interrupt: Interrupt | null
  readonly queries: readonly QueryReport[]
  /** A chart of one query's rows, or a run's graph; null if neither adds anything. */
  readonly chart: Picture | null
  /** null if no query ran. */
  readonly citations: CitationReport | null
  readonly steps: readonly StepReport[]
}
