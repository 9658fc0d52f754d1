import { z } from 'zod'
import type { FigureSource } from '../../answer-check/workings/figure-source.ts'
import { chartRequestSchema } from '../../charts/chart-request.ts'
import type { Picture } from '../../charts/picture.ts'
import { matchCountsSchema } from '../../combine/relation.ts'
import { definitionsUsedSchema } from '../../domain/definitions-used.ts'
import { dataEdgesSchema } from '../../warehouse/data-edges.ts'
import { filterFindingSchema } from '../../warehouse/filter-finding.ts'
import { multipliedRowsSchema } from '../../warehouse/query-validator.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import type { Language } from '../../words/language.ts'
import type { Interrupt } from '../ask-back/interrupt.ts'
import type { DraftReport } from '../draft/pipeline-draft.ts'
import type { LINEAGE } from './investigation.ts'
import type { InvestigationReport } from './investigation-report.ts'

export const INTENTS = ['data_analysis', 'conversational', 'out_of_scope', 'catalog', 'pipeline_draft', 'subscription'] as const
export type Intent = (typeof INTENTS)[number]

const cellSchema: z.ZodType<Cell> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(cellSchema), z.record(z.string(), cellSchema)]),
)
export const columnsSchema = z.array(z.object({ name: z.string(), type: z.string() })).readonly()
export const rowsSchema = z.array(z.array(cellSchema).readonly()).readonly()

/** A failed query, with one text for the model and one for the person. */
export const failedAttemptSchema = z.object({
  sql: z.string(),
  /**
   * The kind of failure: a kind of warehouse error, `guard`, `model`, `model_away`, `empty` (no rows, which looked wrong), `cost`
   * (over the budget), `stopped` (by the person, when asked about the cost), or of a combined result `combine`, `repeated_rows` or
   * `too_large_to_combine`.
   */
  kind: z.string(),
  /** For `guard`: why it refused the query, such as `syntax` or `out_of_scope`. */
  code: z.string().optional(),
  message: z.string(),
  /** A question that the person can ask instead, if there is one. */
  advice: z.string().optional(),
  /** Existing names that are similar: tables as `database.table`, columns with or without their table. */
  near: z.array(z.string()).readonly(),
  unknown_column: z.string().optional(),
  /** For `empty`: why the result looked wrong, in words for the person. */
  found_wrong: z.string().optional(),
})
export type FailedAttempt = z.infer<typeof failedAttemptSchema>

export const reviewSchema = z.object({ verdict: z.enum(['expected', 'suspicious']), reason: z.string() })

/** How the results of several sources became one. */
export const combinedSchema = z.object({
  /** The ids of the queries whose rows it has, such as Q1. */
  inputs: z.array(z.string()).readonly(),
  joins: z
    .array(
      z.object({
        kind: z.enum(['inner', 'left', 'full', 'compare']),
        /** The queries of each side. */
        left: z.array(z.string()).readonly(),
        right: z.array(z.string()).readonly(),
        on: z.array(z.string()).readonly(),
        ...matchCountsSchema.shape,
      }),
    )
    .readonly(),
})
export type Combined = z.infer<typeof combinedSchema>

/** A data question with its outcome. `clew ask --json` prints it in this form. */
export const queryReportSchema = z.object({
  id: z.string(),
  question: z.string(),
  /** The last SQL that ran or was tried. Null if no SQL was written. */
  sql: z.string().nullable(),
  /** The tables that the query reads, as `database.table`. Null if they are unknown. */
  tables: z.array(z.string()).readonly().nullable(),
  explanation: z.string(),
  /** Decisions of the SQL that the question leaves open. Those in `deciding_assumptions` come first. */
  assumptions: z.array(z.string()),
  /** The assumptions that change the answer: with another assumption, it would differ. */
  deciding_assumptions: z.array(z.string()),
  columns: columnsSchema,
  rows: rowsSchema,
  row_count: z.number(),
  truncated: z.boolean(),
  /**
   * The number of rows of the whole result, if the result was cut. Absent if it was not cut, or if counting failed or took too
   * long.
   */
  total_rows: z.number().optional(),
  attempts: z.number(),
  error: z.string().nullable(),
  elapsed_ms: z.number(),
  /** Why the query ran without a check. Null if it was checked. */
  unchecked: z.string().nullable(),
  /** A join that may count rows several times. Absent if the check found none. */
  doubt: multipliedRowsSchema.optional(),
  /** Where the data begin or end. Set if the query asks for a period that reaches beyond them. */
  edges: dataEdgesSchema.optional(),
  /** A model's opinion of an empty result. Null if the result was not empty, or if no model could review it. */
  review: reviewSchema.nullable(),
  /**
   * The values that were looked up in the filtered columns. Empty unless this query or an earlier attempt was empty or partly
   * empty.
   */
  look_up: z.array(filterFindingSchema).readonly(),
  /** Why the query was narrowed. Null if it was not. */
  narrowed: z.string().nullable(),
  /** The definitions and verified queries that the query uses. Null if it uses none. */
  definitions: definitionsUsedSchema.nullable().default(null),
  /** The latest time in the tables of a verified query: a moment (ISO 8601) or a day. Absent if it is unknown. */
  data_until: z.string().optional(),
  /** The data source that the query reads. Absent for the only source, and for a combined result. */
  source: z.string().optional(),
  /** The id of the plan's node, from its content. Absent for a plan over one source. */
  node: z.string().optional(),
  /** How the results of several sources became this one. Absent for a query. */
  combined: combinedSchema.optional(),
  /** The chart that the model suggests for the rows. Null if it suggests none. */
  chart: chartRequestSchema.nullable(),
  /** The failed attempts in order of time. If the data question failed, `error` comes from the last one. */
  failed_attempts: z.array(failedAttemptSchema),
})
export type QueryReport = z.infer<typeof queryReportSchema>
/** A query with its rows, but without the model's explanation. The answer is written without waiting for the explanation. */
export type UnexplainedQuery = Omit<QueryReport, 'explanation' | 'assumptions' | 'deciding_assumptions' | 'chart'>

/**
 * Returns the combined result that was made from all rows of a query. The report of the query itself may have only the first of
 * them. Undefined if there is none.
 */
export function combinedWhole(
  query: Pick<QueryReport, 'id'>,
  queries: readonly UnexplainedQuery[],
): UnexplainedQuery | undefined {
  return queries.find(
    ({ error, truncated, combined }) => error === null && !truncated && combined?.inputs.includes(query.id) === true,
  )
}

export interface StepReport {
  readonly step: string
  readonly query?: string
  readonly started_at: string
  readonly duration_ms: number
  readonly attempt: number
  readonly error: string | null
  /** Why a step that started ahead of time was not needed. Absent for all other steps. */
  readonly cancelled?: string
  readonly model: string | null
  readonly tokens_in: number | null
  readonly tokens_out: number | null
  /** Those of `tokens_in` that the endpoint had in its cache. Absent if it does not tell. */
  readonly tokens_cached?: number
  /** In US dollars. Absent if the prices of the model are unknown. */
  readonly cost?: number
  /** Set if the token counts are estimates, because the endpoint did not report them or the call was cancelled. */
  readonly tokens_estimated?: true
}

/** The result of the check of the answer's sentences against the rows that they cite. */
export interface CitationReport {
  /** The number of sentences, bullets and table rows that were checked. */
  readonly checked: number
  /** The unsupported sentences in the model's first wording. The answer marks each of them. */
  readonly unsupported: readonly string[]
  /** Set if a model has proofread the answer. */
  readonly read?: true
  /** Set if a model should have proofread the answer, and could not. */
  readonly unread?: true
}

/** How reliable an answer from queries is, by the rules in `notes/confidence.ts`. */
export type ConfidenceLevel = 'HIGH' | 'MEDIUM' | 'LOW'

/** The result of a run. `clew ask --json` prints it unchanged. */
export interface RunResult {
  readonly run_id: string
  /** The kind of message. `lineage` is an investigation of a pipeline's run; then `queries` are its evidence. */
  readonly intent: Intent | typeof LINEAGE
  readonly standalone_question: string
  /** The language of the sentences that the program itself writes. */
  readonly language: Language
  /** Markdown. */
  readonly answer: string
  /** Null if the answer uses no query. */
  readonly confidence: ConfidenceLevel | null
  /** Why the confidence is not HIGH, in plain sentences. Null if it is HIGH or if there is no confidence. */
  readonly confidence_reason: string | null
  /** Sentences without markup that the program added to `answer`. May be empty. */
  readonly note: string
  /** Clew's question to the person. `answer` contains the same question in words. Null if there is none. */
  readonly interrupt: Interrupt | null
  readonly queries: readonly QueryReport[]
  /** The work gate of a due run. Absent for other messages, and if it has none. */
  readonly gate?: QueryReport
  /** A chart of one query's rows, or the graph of a run. Null if neither adds anything. */
  readonly chart: Picture | null
  /** The result of the check of citations. Null if no query ran. */
  readonly citations: CitationReport | null
  /** The sources of the figures in the answer, in order of appearance. At most `AGENT_LIMITS.write.figures`. */
  readonly figures: readonly FigureSource[]
  /** The combined results, with figures of their first join. Absent for a plan over one source. */
  readonly combined?: readonly CombinedSummary[]
  /** The steps of an investigation. Absent for other messages. */
  readonly investigation?: InvestigationReport
  /** The pipeline that the run has drafted. Nothing of it is set up. Null for other messages. */
  readonly draft: DraftReport | null
  readonly steps: readonly StepReport[]
}

/** A combined result in short, as `clew ask --json` prints it. The counts are null if nothing was joined, and `op` too if it failed. */
export interface CombinedSummary {
  readonly id: string
  readonly inputs: readonly string[]
  readonly op: string | null
  readonly rows_left: number | null
  readonly rows_right: number | null
  readonly keys_met: number | null
  readonly rows: number
}
