import { type Candidate, candidatesFor, fitOf, type VerifiedFit, verifiedFitSchema } from '../../domain/fit-verified-query.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { answerWords } from '../../words/answer.ts'
import type { Language } from '../../words/language.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { QueryContext, QuestionContext, ReadContext } from '../run/context.ts'
import type { QueryReport } from '../run/result.ts'
import { isEmptyResult } from './empty-result.ts'
import { execute } from './execute.ts'
import type { SucceededOutcome } from './execution-outcome.ts'
import { explained, reportRows } from './query-report.ts'

const ID = 'Q1'

/**
 * Runs the verified query whose question has the same words as the message, apart from the parameters. A program compares the words, without a model
 * (docs/domain.md). Guard, check and budget apply as usual.
 * @returns null if no verified query matches, or if its run fails, is too expensive or finds nothing; in these cases nothing has been shown
 * @throws WarehouseError of kind `cancelled` only
 */
export async function runVerifiedQuery(
  context: QuestionContext & QueryContext,
  schema: Schema,
  signal: AbortSignal,
): Promise<QueryReport | null> {
  const { request, observe, log, language } = context
  const candidates = candidatesOf(context)
  if (candidates.length === 0) return null
  const trying = log.branch()
  const silent = { ...context, log: trying.log, observe: () => {} }
  const found = await fittingResult(silent, schema, candidates, signal).catch(async (error: unknown) => {
    await trying.keep()
    throw error
  })
  if (typeof found === 'string') {
    await trying.drop(found)
    return null
  }
  await trying.keep()
  const { fit, outcome } = found
  const { question } = request
  observe({ kind: 'question_understood', question, language })
  observe({ kind: 'data_question_planned', id: ID, question })
  const draft = {
    sql: fit.sql,
    explanation: explanationOf(fit, language),
    assumptions: [],
    deciding_assumptions: [],
    chart: null,
  }
  const asked = { id: ID, question, dataQuestion: question }
  const report = explained(reportRows(observe, asked, outcome, [], null), draft)
  const { sql: _, ...verified } = fit
  return { ...report, definitions: { verified, metrics: [] } }
}

interface FittingResult {
  readonly fit: VerifiedFit
  readonly outcome: SucceededOutcome
}

/** Runs the verified query that matches. Returns its result, or the reason why there is none. */
async function fittingResult(
  context: QuestionContext & QueryContext,
  schema: Schema,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<FittingResult | string> {
  const fit = await fittingQuery(context, schema, candidates, signal)
  if (fit === null) return 'no verified query is asked for with values that are known'
  const query = { schema, id: ID, attempt: 1, sql: fit.sql, isVerified: true, isConfirmed: false, tooExpensive: null }
  const outcome = await execute(context, query, signal)
  if (outcome.kind !== 'succeeded') return `the verified query did not run (${outcome.kind})`
  return isEmptyResult({ ...outcome, error: null }) ? 'the verified query found nothing' : { fit, outcome }
}

function candidatesOf({ domain, request }: QuestionContext): readonly Candidate[] {
  const { turns, summary } = request.conversation
  const isLiteral = turns.length > 0 || summary !== ''
  return candidatesFor(request.question, domain().verifiedQueries, { isLiteral })
}

async function fittingQuery(
  { warehouse, request, log, lookUpTimeLimitMs: timeLimitMs = AGENT_LIMITS.query.lookUpMs }: ReadContext,
  schema: Schema,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<VerifiedFit | null> {
  const sources = {
    ...{ schema, warehouse, timeLimitMs },
    clock: { now: Date.parse(request.asked_at), timeZone: request.time_zone },
  }
  const input = { question: request.question, verified: candidates.map(({ query }) => query.sql) }
  return log.step({ step: 'verified_query' }, input, verifiedFitSchema.nullable(), signal, () =>
    fitOf(candidates, sources, signal),
  )
}

function explanationOf({ verified_by: name, parameters = [] }: VerifiedFit, language: Language): string {
  return answerWords(language).verifiedExplanation(
    name,
    parameters.map(parameter => `${parameter.name}: ${parameter.value}`),
  )
}
