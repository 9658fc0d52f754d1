import { z } from 'zod'
import { cutCharacters } from '../clickhouse/catalog/plain-text.ts'
import type { FilterFinding } from '../clickhouse/filters/filter-finding.ts'
import type { Schema } from '../clickhouse/schema.ts'
import { ModelError } from '../llm/model-error.ts'
import { askForJson } from './ask-model.ts'
import { lookUp } from './look-up.ts'
import { questionPrompt } from './question-prompt.ts'
import { findingsPrompt, resultsPrompt } from './results-prompt.ts'
import type { RunContext } from './run-context.ts'
import type { QueryReport } from './run-result.ts'
import { schemaPrompt } from './schema-prompts.ts'
import { shortRemark } from './short-remark.ts'
import { describeNow } from './time-context.ts'

const SUGGESTION_CHARACTERS = 800

const verdictSchema = z.object({
  verdict: z.enum(['expected', 'suspicious']),
  reason: z.string().min(1),
  suggestion: z.string().nullable(),
})

export interface EmptyReview {
  /** null where no model could judge it. */
  readonly verdict: 'expected' | 'suspicious' | null
  readonly reason: string
  /** What another query should do; empty where there is nothing to do. */
  readonly suggestion: string
  /** What the warehouse holds of the columns that the query filters on. */
  readonly findings: readonly FilterFinding[]
}

/**
 * Has an empty result judged: is there nothing, or does the query look for it in a wrong way? The real values of the filtered columns are looked up
 * by program before. The answer goes on without a verdict where no model can give one.
 * @throws ModelError and WarehouseError of kind `cancelled` only
 */
export async function reviewEmpty(
  context: RunContext,
  options: { readonly schema: Schema; readonly question: string; readonly report: QueryReport },
  signal: AbortSignal,
): Promise<EmptyReview> {
  const { report, schema, question } = options
  const { deps, log, observe, request } = context
  const key = { query: report.id, attempt: report.attempts }
  observe({ kind: 'step_started', step: 'review_empty', ...key })
  const findings = await lookUp(context, { schema, report }, signal)
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
          domain: deps.domain.full,
          now: describeNow(request),
          question: questionPrompt(question),
          query: resultsPrompt([report]),
          findings: findings.length === 0 ? 'Nothing could be looked up.' : findingsPrompt(findings),
        },
        output: { schema: verdictSchema },
      },
      signal,
    )
    return {
      verdict,
      reason: shortRemark(reason),
      suggestion: cutCharacters(suggestion ?? '', SUGGESTION_CHARACTERS),
      findings,
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof ModelError) || error.kind === 'cancelled') throw error
    deps.logger.warn({ code: error.code, run: log.runId }, 'an empty result could not be judged')
    return { verdict: null, reason: '', suggestion: '', findings }
  }
}
