import { z } from 'zod'
import { ModelError } from '../../llm/error.ts'
import type { FilterFinding } from '../../warehouse/filter-finding.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { cutCharacters } from '../../warehouse/sql/plain-text.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { shortRemark } from '../notes/short-remark.ts'
import { askForJson } from '../run/ask-model.ts'
import type { ModelContext, QuestionContext, ReadContext } from '../run/context.ts'
import type { QueryReport } from '../run/result.ts'
import { describeNow } from '../run/time-context.ts'
import { schemaPrompt } from '../schema/schema-prompts.ts'
import { questionPrompt } from '../understand/question-prompt.ts'
import { findingsPrompt, resultsPrompt } from '../write/results-prompt.ts'
import { filterFindings } from './filter-findings.ts'

const verdictSchema = z.object({
  verdict: z.enum(['expected', 'suspicious']),
  reason: z.string().min(1),
  suggestion: z.string().nullable(),
})

export interface EmptyReview {
  /** The model's opinion of the result. Null if no model could review it. */
  readonly verdict: 'expected' | 'suspicious' | null
  readonly reason: string
  /** How another query should differ. Empty if the model suggests nothing. */
  readonly suggestion: string
  /** Values of the columns on which the query filters. */
  readonly findings: readonly FilterFinding[]
}

/**
 * Asks a model whether an empty result is right, or whether the query searches for something wrong. Before that, the program
 * looks up values of the filtered columns. If no model can answer, the verdict is null and the run continues.
 * @throws ModelError and WarehouseError of kind `cancelled` only
 */
export async function reviewEmpty(
  context: ModelContext & QuestionContext & ReadContext,
  options: { readonly schema: Schema; readonly question: string; readonly report: QueryReport },
  signal: AbortSignal,
): Promise<EmptyReview> {
  const { report, schema, question } = options
  const { domain, log, logger, observe, request } = context
  const key = { query: report.id, attempt: report.attempts }
  observe({ kind: 'step_started', step: 'review_empty', ...key })
  const findings = await filterFindings(context, { schema, report }, signal)
  try {
    const { verdict, reason, suggestion } = await askForJson(
      context,
      {
        step: 'review_empty',
        ...key,
        subject: report.question,
        input: { question, data_question: report.question, sql: report.sql, rows: report.rows },
        values: {
          schema: schemaPrompt(schema),
          domain: domain().full,
          now: describeNow(request),
          question: questionPrompt(question),
          query: resultsPrompt([report]),
          findings: findings.length === 0 ? '' : findingsPrompt(findings),
        },
        output: { schema: verdictSchema },
      },
      signal,
    )
    return {
      verdict,
      reason: shortRemark(reason),
      suggestion: cutCharacters(suggestion ?? '', AGENT_LIMITS.query.suggestionCharacters),
      findings,
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof ModelError) || error.kind === 'cancelled') throw error
    logger.warn({ code: error.code, run: log.runId }, 'an empty result could not be judged')
    return { verdict: null, reason: '', suggestion: '', findings }
  }
}
