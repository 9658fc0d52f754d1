import { ModelError, type ModelErrorKind } from '../../llm/error.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import { ERROR_ROUTES } from '../../warehouse/error-routes.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { DataQuestionContext, ModelContext, SchemaContext } from '../run/context.ts'
import type { FailedAttempt, QueryReport, UnexplainedQuery } from '../run/result.ts'
import { focusSchema } from '../schema/focus-schema.ts'
import { draftAndExecute, type ExecutedDraft, type OnOutcome } from './draft-and-execute.ts'
import { isEmptyResult, isPartlyEmpty } from './empty-result.ts'
import { executeWithinBudget } from './execute-within-budget.ts'
import type { ExecutionOutcome, SucceededOutcome } from './execution-outcome.ts'
import type { Narrowing } from './narrowing.ts'
import { type AskedQuery, explained, reportFailure, reportRows } from './query-report.ts'

type Written = ExecutedDraft | { readonly failure: FailedAttempt }

/** Model errors after which Clew has no usable query, even after another try. Only this data question fails, not the run. */
const UNUSABLE: readonly ModelErrorKind[] = ['invalid_output', 'truncated', 'empty', 'refused']
const MODEL_AWAY = 'The language model could not be reached in time.'
const AWAY: readonly ModelErrorKind[] = ['unavailable', 'rate_limited', 'no_quota', 'timeout']

export interface DataQuestionOptions extends AskedQuery {
  readonly schema: Schema
  /** The names of the tables that the plan expects in the query. */
  readonly tables?: readonly string[]
  /** Earlier attempts at the query. They use up part of the limits of attempts. */
  readonly failed?: readonly FailedAttempt[]
  /**
   * Continues the first attempt, if it was already started. That attempt answers the question in the person's words, not in the
   * plan's.
   * @throws ModelError
   */
  readonly begun?: (onOutcome: OnOutcome) => Promise<ExecutedDraft>
  /**
   * Receives the rows of a successful query. Each call replaces the rows of the call before, because another query may take its
   * place.
   */
  readonly onRows?: (query: UnexplainedQuery) => void
}

/** Returns how many more queries the engine may refuse before Clew gives up. */
export function executionRetriesLeft(failed: readonly FailedAttempt[]): number {
  return AGENT_LIMITS.query.executionRetries - failed.filter(attempt => !isBuildFailure(attempt)).length
}

function isBuildFailure({ kind }: FailedAttempt): boolean {
  return kind === 'guard'
}

/**
 * Answers one data question: writes the SQL, checks it, runs it, and rewrites it after an error. There is one limit for drafts
 * that the guard refuses, and another for queries that the engine refuses. A query that is too expensive is narrowed once. If
 * every query fails, the report says so, and nothing is thrown.
 * @throws InterruptError
 */
export async function answerDataQuestion(
  context: DataQuestionContext,
  options: DataQuestionOptions,
  signal: AbortSignal,
): Promise<QueryReport> {
  const failed = [...(options.failed ?? [])]
  let narrowing: Narrowing | null = null
  let ran: { readonly outcome: ExecutionOutcome; readonly query: UnexplainedQuery } | undefined
  const showRows = (outcome: SucceededOutcome): UnexplainedQuery => {
    if (ran?.outcome !== outcome) ran = { outcome, query: reportRows(context.observe, options, outcome, failed, narrowing) }
    return ran.query
  }
  const onOutcome = (outcome: ExecutionOutcome) => {
    if (outcome.kind !== 'succeeded') return
    const query = showRows(outcome)
    // The rows of an empty result are passed on only after its review.
    if (!isEmptyResult(query) && !isPartlyEmpty(query)) options.onRows?.(query)
  }
  const { id, question, dataQuestion, begun, tables = [] } = options
  const about = { text: [dataQuestion, ...tables].join(' '), context: question }
  let [first, schema] = await Promise.all([
    begun && orFailure(context, begun(onOutcome)),
    focusSchema(context, options.schema, about, signal),
  ])
  let buildRetries = AGENT_LIMITS.query.buildRetries - failed.filter(isBuildFailure).length
  let executionRetries = executionRetriesLeft(failed)
  for (;;) {
    const attempt = { ...options, schema, failed, narrowing }
    const written = first ?? (await orFailure(context, draftAndExecute(context, { ...attempt, onOutcome }, signal)))
    first = undefined
    if ('failure' in written) {
      failed.push(written.failure)
      return reportFailure(context.observe, options, failed)
    }
    const { draft } = written
    const outcome = await executeWithinBudget(context, { ...attempt, attempt: failed.length + 1, ...written }, signal)
    if (outcome.kind === 'succeeded') return explained(showRows(outcome), draft)
    if (outcome.kind === 'expensive') {
      failed.push(outcome.attempt)
      if (outcome.narrowing === null) return reportFailure(context.observe, options, failed, draft)
      narrowing = outcome.narrowing
      context.observe({ kind: 'query_narrowed', id, why: narrowing.why })
      continue
    }

    const rejected = outcome.kind === 'rejected'
    const unknown = rejected || outcome.unknownColumn === undefined ? {} : { unknown_column: outcome.unknownColumn }
    const kind = rejected ? { kind: 'guard', code: outcome.code } : { kind: outcome.error }
    failed.push({ sql: draft.sql, ...kind, message: outcome.message, near: outcome.near, ...unknown })
    const mayRetry = rejected ? buildRetries-- > 0 : ERROR_ROUTES[outcome.error].route === 'regenerate' && executionRetries-- > 0
    if (!mayRetry) return reportFailure(context.observe, options, failed, draft)
    // A name from the schema is unknown to the server. So the schema is out of date, and is loaded again.
    if (!rejected && outcome.error === 'unknown_name') schema = await refreshed(context, schema, signal)
    const wrong = {
      text: `${dataQuestion} ${outcome.message}`,
      context: question,
      hints: tablesNear(draft.sql, outcome.near),
    }
    schema = await focusSchema(context, schema, wrong, signal)
  }
}

/**
 * Returns the tables in a failed query and tables with similar names. They are hints for choosing the tables of the next prompt.
 */
function tablesNear(sql: string, near: readonly string[]): ReadonlyMap<string, number> {
  const named = [...sql.matchAll(/\b\w+\.\w+\b/g)].map(([name]) => name)
  return new Map([...named, ...near].map(name => [name, 1]))
}

/** Loads the schema again. If that fails, returns the old schema. */
async function refreshed({ schemaSource }: SchemaContext, schema: Schema, signal: AbortSignal): Promise<Schema> {
  try {
    return await schemaSource.refresh(signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof WarehouseError)) throw error
    return schema
  }
}

async function orFailure({ logger, log }: ModelContext, writing: Promise<ExecutedDraft>): Promise<Written> {
  try {
    return await writing
  } catch (error) {
    if (!(error instanceof ModelError) || ![...UNUSABLE, ...AWAY].includes(error.kind)) throw error
    if (UNUSABLE.includes(error.kind)) return { failure: { sql: '', kind: 'model', message: error.message, near: [] } }
    // The endpoint's message is only logged. The person reads another sentence.
    logger.error({ code: error.code, error: error.message, run: log.runId }, 'no query was written: the model is away')
    return { failure: { sql: '', kind: 'model_away', message: MODEL_AWAY, near: [] } }
  }
}
