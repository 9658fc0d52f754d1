import { fitOf, type VerifiedChoice, type VerifiedFit, verifiedFitSchema } from '../../domain/verified-choice.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { answerWords } from '../../words/answer.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { PersonContext, QueryContext, QuestionContext } from '../run/context.ts'
import type { QueryReport } from '../run/result.ts'
import { isEmptyResult } from './empty-result.ts'
import { execute } from './execute.ts'
import type { SucceededOutcome } from './execution-outcome.ts'
import { explained, reportRows } from './query-report.ts'

const ID = 'Q1'

interface FittingResult {
  readonly fit: VerifiedFit
  readonly outcome: SucceededOutcome
}

/**
 * Runs the verified query that a message asks for, if its values exist in the data. Guard, check and budget apply as for any
 * query.
 * @param choices the queries that the message may ask for; if several fit by their values, none of them runs
 * @param whenFound called before anything is shown
 * @returns null if no query fits, or if it fails, is too expensive or finds nothing; then nothing has been shown
 */
export async function runVerifiedQuery(
  context: QuestionContext & QueryContext & PersonContext,
  schema: Schema,
  { choices, whenFound }: { readonly choices: readonly VerifiedChoice[]; readonly whenFound: () => void },
  signal: AbortSignal,
): Promise<QueryReport | null> {
  const { request, observe, log, language, given } = context
  // A verified query never asks the person. So if the person has answered a question, that question came from other work of the
  // run.
  if (choices.length === 0 || given !== undefined) return null
  const trying = log.branch()
  const silent = { ...context, log: trying.log, observe: () => {} }
  const found = await fittingResult(silent, schema, choices, signal).catch(async (error: unknown) => {
    await trying.keep()
    throw error
  })
  if (typeof found === 'string') {
    await trying.drop(found)
    return null
  }
  await trying.keep()
  whenFound()
  const { sql, ...verified } = found.fit
  const { parameters = [], reading: question = request.question, verified_by } = verified
  observe({ kind: 'data_question_planned', id: ID, question })
  const values = parameters.map(({ name, value }) => `${name}: ${value}`)
  const explanation = answerWords(language).verifiedExplanation(verified_by, values)
  const draft = { sql, explanation, assumptions: [], deciding_assumptions: [], chart: null }
  const report = reportRows(observe, { id: ID, question, dataQuestion: question }, found.outcome, [], null)
  return { ...explained(report, draft), definitions: { verified, metrics: [] } }
}

/** Runs the verified query that fits the message. Returns its result, or why there is none. */
async function fittingResult(
  context: QuestionContext & QueryContext,
  schema: Schema,
  choices: readonly VerifiedChoice[],
  signal: AbortSignal,
): Promise<FittingResult | string> {
  const { warehouse, request, log, lookUpTimeLimitMs: timeLimitMs = AGENT_LIMITS.query.lookUpMs } = context
  const clock = { now: Date.parse(request.asked_at), timeZone: request.time_zone }
  const input = { verified: choices.map(({ query, values }) => [query.sql, ...values]) }
  const fit = await log.step({ step: 'verified_query' }, input, verifiedFitSchema.nullable(), signal, () =>
    fitOf(choices, { schema, warehouse, timeLimitMs, clock }, signal),
  )
  if (fit === null) return 'no verified query is asked for with values that are known'
  const query = { schema, id: ID, attempt: 1, sql: fit.sql, isVerified: true, isConfirmed: false, tooExpensive: null }
  const outcome = await execute(context, query, signal)
  if (outcome.kind !== 'succeeded') return `the verified query did not run (${outcome.kind})`
  return isEmptyResult({ ...outcome, error: null }) ? 'the verified query found nothing' : { fit, outcome }
}
