import { ERROR_ROUTES } from '../clickhouse/error-routes.ts'
import type { Schema } from '../clickhouse/schema.ts'
import { WarehouseError } from '../clickhouse/warehouse-error.ts'
import { ModelError, type ModelErrorKind } from '../llm/model-error.ts'
import { draftAndExecute, type ExecutedDraft, type OnOutcome } from './draft-and-execute.ts'
import { isEmptyResult, isPartlyEmpty } from './empty-result.ts'
import { executeWithinBudget } from './execute-within-budget.ts'
import type { ExecutionOutcome, SucceededOutcome } from './execution-outcome.ts'
import { focusSchema } from './focus-schema.ts'
import type { Narrowing } from './narrowing.ts'
import { type AskedQuery, explained, reportFailure, reportRows } from './query-report.ts'
import type { RunContext } from './run-context.ts'
import type { FailedAttempt, QueryReport, UnexplainedQuery } from './run-result.ts'

/** Drafts that the guard refused, beyond the first. */
const BUILD_RETRIES = 2
/** Queries that the engine found wrong, before they ran or then, and that are written again. */
const EXECUTION_RETRIES = 4

type Written = ExecutedDraft | { readonly failure: FailedAttempt; readonly mayTryOtherWords: boolean }

/** The model gave no query, though it was asked again where that may help: this data question's failure, and the others go on. */
const UNUSABLE: readonly ModelErrorKind[] = ['invalid_output', 'truncated', 'empty', 'refused']
const MODEL_AWAY = 'The language model could not be reached in time.'
const AWAY: readonly ModelErrorKind[] = ['unavailable', 'rate_limited', 'timeout']

export interface DataQuestionOptions extends AskedQuery {
  readonly schema: Schema
  /** Attempts that were made before, which count. */
  readonly failed?: readonly FailedAttempt[]
  /** The first attempt, where it was begun before. */
  readonly begun?: BegunDraft
  /** Hears of rows that will be the report's unless its writer ends with another query; a later call replaces an earlier one. */
  readonly onRows?: (query: UnexplainedQuery) => void
}

/** An attempt that was made in other words than the plan's. */
export interface BegunDraft {
  /** @throws ModelError */
  take(onOutcome: OnOutcome): Promise<ExecutedDraft>
  /** The data question as the plan has it, which is answered where the model could make no query of the other words. */
  readonly planned: string
}

/** How often a query that ran may still be written anew, after these attempts. */
export function executionRetriesLeft(failed: readonly FailedAttempt[]): number {
  return EXECUTION_RETRIES - failed.filter(attempt => !isBuildFailure(attempt)).length
}

function isBuildFailure({ kind }: FailedAttempt): boolean {
  return kind === 'guard'
}

/**
 * Answers one data question: write SQL, check and run it, and write it again with what was wrong, within two separate budgets; one that is too
 * expensive is narrowed, once. Never throws for a query that failed: the report says what was tried. @throws InterruptError
 */
export async function answerDataQuestion(
  context: RunContext,
  options: DataQuestionOptions,
  signal: AbortSignal,
): Promise<QueryReport> {
  const failed = [...(options.failed ?? [])]
  let asked: AskedQuery = options
  let narrowing: Narrowing | null = null
  let ran: { readonly outcome: ExecutionOutcome; readonly query: UnexplainedQuery } | undefined
  const showRows = (outcome: SucceededOutcome): UnexplainedQuery => {
    if (ran?.outcome !== outcome) ran = { outcome, query: reportRows(context, asked, outcome, failed, narrowing) }
    return ran.query
  }
  const onOutcome = (outcome: ExecutionOutcome) => {
    if (outcome.kind !== 'succeeded') return
    const query = showRows(outcome)
    // What may be empty is looked into first.
    if (!isEmptyResult(query) && !isPartlyEmpty(query)) options.onRows?.(query)
  }
  const { id, question, begun } = options
  const focused = () => focusSchema(context, options.schema, { text: asked.dataQuestion, context: question }, signal)
  let [first, schema] = await Promise.all([begun && orFailure(context, begun.take(onOutcome)), focused()])
  let isRepeat = false
  if (begun !== undefined && first !== undefined && 'failure' in first && first.mayTryOtherWords) {
    asked = { ...options, dataQuestion: begun.planned }
    context.observe({ kind: 'data_question_planned', id, question: begun.planned })
    schema = await focused()
    first = undefined
    isRepeat = true
  }
  let buildRetries = BUILD_RETRIES - failed.filter(isBuildFailure).length
  let executionRetries = executionRetriesLeft(failed)
  for (;;) {
    const attempt = { ...asked, schema, failed, narrowing, isRepeat }
    const written = first ?? (await orFailure(context, draftAndExecute(context, { ...attempt, onOutcome }, signal)))
    first = undefined
    isRepeat = false
    if ('failure' in written) {
      failed.push(written.failure)
      return reportFailure(context, asked, failed)
    }
    const { draft } = written
    const outcome = await executeWithinBudget(context, { ...attempt, attempt: failed.length + 1, ...written }, signal)
    if (outcome.kind === 'succeeded') return explained(showRows(outcome), draft)
    if (outcome.kind === 'expensive') {
      failed.push(outcome.attempt)
      if (outcome.narrowing === null) return reportFailure(context, asked, failed, draft)
      narrowing = outcome.narrowing
      context.observe({ kind: 'query_narrowed', id, why: narrowing.why })
      continue
    }

    const rejected = outcome.kind === 'rejected'
    const unknown = rejected || outcome.unknownColumn === undefined ? {} : { unknown_column: outcome.unknownColumn }
    const kind = rejected ? 'guard' : outcome.error
    failed.push({ sql: draft.sql, kind, message: outcome.message, near: outcome.near, ...unknown })
    const mayRetry = rejected ? buildRetries-- > 0 : ERROR_ROUTES[outcome.error].route === 'regenerate' && executionRetries-- > 0
    if (!mayRetry) return reportFailure(context, asked, failed, draft)
    // A name that the schema had and the server has not: the schema has changed under us.
    if (!rejected && outcome.error === 'unknown_name') schema = await refreshed(context, schema, signal)
    const wrong = {
      text: `${asked.dataQuestion} ${outcome.message}`,
      context: question,
      hints: tablesNear(draft.sql, outcome.near),
    }
    schema = await focusSchema(context, schema, wrong, signal)
  }
}

/** What a failed query named, and what it may have meant: tables among it are shown to the next attempt. */
function tablesNear(sql: string, near: readonly string[]): ReadonlyMap<string, number> {
  const named = [...sql.matchAll(/\b\w+\.\w+\b/g)].map(([name]) => name)
  return new Map([...named, ...near].map(name => [name, 1]))
}

/** The schema as it is now, or the one at hand where it cannot be fetched: the next attempt may do without. */
async function refreshed(context: RunContext, schema: Schema, signal: AbortSignal): Promise<Schema> {
  try {
    return await context.deps.schemaSource.refresh(signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof WarehouseError)) throw error
    return schema
  }
}

async function orFailure({ deps, log }: RunContext, writing: Promise<ExecutedDraft>): Promise<Written> {
  try {
    return await writing
  } catch (error) {
    if (!(error instanceof ModelError) || ![...UNUSABLE, ...AWAY].includes(error.kind)) throw error
    if (UNUSABLE.includes(error.kind)) {
      const failure = { sql: '', kind: 'model', message: error.message, near: [] }
      return { failure, mayTryOtherWords: error.kind === 'invalid_output' }
    }
    // What is inside of the endpoint's answer is for the log, not for the person.
    deps.logger.error({ code: error.code, error: error.message, run: log.runId }, 'no query was written: the model is away')
    return { failure: { sql: '', kind: 'model_away', message: MODEL_AWAY, near: [] }, mayTryOtherWords: false }
  }
}
