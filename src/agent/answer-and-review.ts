import { describeFinding } from '../clickhouse/filters/filter-finding.ts'
import { answerDataQuestion, type DataQuestionOptions, executionRetriesLeft } from './answer-data-question.ts'
import { isEmptyResult } from './empty-result.ts'
import { type EmptyReview, reviewEmpty } from './review-empty.ts'
import type { RunContext } from './run-context.ts'
import type { QueryReport } from './run-result.ts'

/**
 * Answers one data question, and has an empty result judged. One that looks wrong is written anew, once, with what was found wrong, as far as the
 * budget of attempts allows; the better of the two results is kept.
 */
export async function answerAndReview(
  context: RunContext,
  options: DataQuestionOptions,
  signal: AbortSignal,
): Promise<QueryReport> {
  const report = await answerDataQuestion(context, options, signal)
  if (!isEmptyResult(report)) return report
  const review = await reviewEmpty(context, { ...options, report }, signal)
  const first = reviewed(report, review)
  // What was narrowed for its cost has had its one other query.
  const mayRetry = report.narrowed === null && executionRetriesLeft(report.failed_attempts) > 0
  if (review.verdict !== 'suspicious' || !mayRetry) return first

  const emptied = { sql: report.sql ?? '', kind: 'empty', message: complaint(report, review), near: [] }
  const failed = [...report.failed_attempts, emptied]
  const again = await answerDataQuestion(context, { ...options, failed }, signal)
  if (again.error === null && !isEmptyResult(again)) return { ...again, look_up: review.findings, ...replacement(again, review) }
  const second =
    again.error === null && again.sql !== report.sql
      ? reviewed(again, await reviewEmpty(context, { ...options, report: again }, signal))
      : undefined
  // Nothing was gained by writing it anew, unless the new one is empty for a reason.
  if (second?.review?.verdict === 'expected') return second
  context.observe({
    kind: 'query_finished',
    id: first.id,
    question: first.question,
    ok: true,
    rowCount: first.row_count,
    elapsedMs: first.elapsed_ms,
  })
  return {
    ...first,
    attempts: again.attempts,
    failed_attempts: [...report.failed_attempts, ...again.failed_attempts.slice(failed.length)],
  }
}

function reviewed(report: QueryReport, { verdict, reason, findings }: EmptyReview): QueryReport {
  return { ...report, review: verdict === null ? null : { verdict, reason }, look_up: findings }
}

/** What the next attempt is told. */
function complaint({ rows }: QueryReport, { reason, suggestion, findings }: EmptyReview): string {
  const outcome =
    rows.length === 0
      ? 'It ran and returned no rows, which looks wrong'
      : 'It ran and returned nothing but zeros, which looks wrong'
  const looked = findings.map(finding => `- ${describeFinding(finding)}`)
  return [
    `${outcome}: ${reason}`,
    suggestion === '' ? '' : `Suggested: ${suggestion}`,
    ...(looked.length === 0 ? [] : ['What the columns hold that it filters on:', ...looked]),
  ]
    .filter(line => line !== '')
    .join('\n')
}

/**
 * Where a value of the question occurs nowhere, and the new query asks for others instead, that decides the answer, and a model may leave it unsaid: what
 * the review said of it is said then. A value that differs in case and white space only is the same.
 */
function replacement(
  report: QueryReport,
  { findings, reason }: EmptyReview,
): Pick<QueryReport, 'assumptions' | 'deciding_assumptions'> | undefined {
  if (report.deciding_assumptions.length > 0) return undefined
  const isReplaced = findings.some(({ missing }) =>
    missing.some(
      ({ value, near }) =>
        near.length > 0 && !near.some(other => plain(other) === plain(value)) && !plain(report.sql ?? '').includes(plain(value)),
    ),
  )
  return isReplaced ? { assumptions: [reason, ...report.assumptions], deciding_assumptions: [reason] } : undefined
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase()
}
