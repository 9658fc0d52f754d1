import { describeFinding } from '../clickhouse/filters/filter-finding.ts'
import { answerDataQuestion, type DataQuestionOptions, executionRetriesLeft } from './answer-data-question.ts'
import { isEmptyResult, isPartlyEmpty } from './empty-result.ts'
import { lookUp } from './look-up.ts'
import { type EmptyReview, reviewEmpty } from './review-empty.ts'
import type { RunContext } from './run-context.ts'
import type { QueryReport } from './run-result.ts'

/**
 * Answers one data question, and has an empty result judged. One that looks wrong is written anew, once, with what was found wrong, as far as the
 * budget of attempts allows; the better of the two results is kept, and where that is the second one, it is said. Where a part of the result may be
 * empty, the texts that the query filters on are looked up.
 */
export async function answerAndReview(
  context: RunContext,
  options: DataQuestionOptions,
  signal: AbortSignal,
): Promise<QueryReport> {
  const report = await answerDataQuestion(context, options, signal)
  if (!isEmptyResult(report)) return withMissing(context, options, report, signal)
  const review = await reviewEmpty(context, { ...options, report }, signal)
  const first = reviewed(report, review)
  // What was narrowed for its cost has had its one other query.
  const mayRetry = report.narrowed === null && executionRetriesLeft(report.failed_attempts) > 0
  if (review.verdict !== 'suspicious' || !mayRetry) return first

  const emptied = {
    sql: report.sql ?? '',
    kind: 'empty',
    message: complaint(report, review),
    near: [],
    found_wrong: review.reason,
  }
  const failed = [...report.failed_attempts, emptied]
  const { schema, id, question } = options
  const again = await answerDataQuestion(context, { schema, id, question, dataQuestion: report.question, failed }, signal)
  if (again.error === null && !isEmptyResult(again)) {
    return writtenAnew(await withMissing(context, options, again, signal), review)
  }
  const second =
    again.error === null && again.sql !== report.sql
      ? reviewed(again, await reviewEmpty(context, { ...options, report: again }, signal))
      : undefined
  // Nothing was gained by writing it anew, unless the new one is empty for a reason.
  if (second?.review?.verdict === 'expected') return writtenAnew(second, review)
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

/** The second query keeps the look-ups of the first one, whose filters it mostly has. */
function writtenAnew(report: QueryReport, { findings }: EmptyReview): QueryReport {
  return { ...report, look_up: [...findings, ...report.look_up] }
}

/** What was looked up of a result that is empty in part: only what occurs nowhere is kept. */
async function withMissing(
  context: RunContext,
  { schema }: DataQuestionOptions,
  report: QueryReport,
  signal: AbortSignal,
): Promise<QueryReport> {
  if (!isPartlyEmpty(report)) return report
  const findings = await lookUp(context, { schema, report }, signal)
  return { ...report, look_up: findings.filter(({ missing }) => missing.length > 0) }
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
