import { describeFinding } from '../../warehouse/filter-finding.ts'
import type { DataQuestionContext, ReadContext } from '../run/context.ts'
import type { QueryReport } from '../run/result.ts'
import { answerDataQuestion, type DataQuestionOptions, executionRetriesLeft } from './answer-data-question.ts'
import { isEmptyResult, isPartlyEmpty } from './empty-result.ts'
import { filterFindings } from './filter-findings.ts'
import { type EmptyReview, reviewEmpty } from './review-empty.ts'

/**
 * Answers one data question. A model reviews an empty result. If the result looks wrong and an attempt is left, the query is
 * written once more, with the review in the prompt. The better of the two results is returned. If a result is partly empty, the
 * filter values are looked up.
 */
export async function answerAndReview(
  context: DataQuestionContext,
  options: DataQuestionOptions,
  signal: AbortSignal,
): Promise<QueryReport> {
  const report = await answerDataQuestion(context, options, signal)
  if (!isEmptyResult(report)) return withMissing(context, options, report, signal)
  const review = await reviewEmpty(context, { ...options, report }, signal)
  const first = reviewed(report, review)
  // A query that was narrowed for its cost is not written again.
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
  const { schema, id, question, scan } = options
  const again = await answerDataQuestion(
    context,
    { schema, id, question, dataQuestion: report.question, failed, ...(scan && { scan }) },
    signal,
  )
  if (again.error === null && !isEmptyResult(again)) {
    return writtenAnew(await withMissing(context, options, again, signal), review)
  }
  const second =
    again.error === null && again.sql !== report.sql
      ? reviewed(again, await reviewEmpty(context, { ...options, report: again }, signal))
      : undefined
  // The second result is empty too. It is used only if its review says that an empty result is to be expected.
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

/**
 * Adds the values that were looked up for the first query to the report of the second, because both have mostly the same filters.
 */
function writtenAnew(report: QueryReport, { findings }: EmptyReview): QueryReport {
  return { ...report, look_up: [...findings, ...report.look_up] }
}

/** Looks up the filter values of a partly empty result. The report then lists the values that no row has. */
async function withMissing(
  context: ReadContext,
  { schema }: DataQuestionOptions,
  report: QueryReport,
  signal: AbortSignal,
): Promise<QueryReport> {
  if (!isPartlyEmpty(report)) return report
  const findings = await filterFindings(context, { schema, report }, signal)
  return { ...report, look_up: findings.filter(({ missing }) => missing.length > 0) }
}

function reviewed(report: QueryReport, { verdict, reason, findings }: EmptyReview): QueryReport {
  return { ...report, review: verdict === null ? null : { verdict, reason }, look_up: findings }
}

/** Writes for the next attempt what was wrong with an empty result. */
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
