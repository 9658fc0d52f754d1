import { ERROR_ROUTES } from '../clickhouse/error-routes.ts'
import type { Schema } from '../clickhouse/schema.ts'
import { WarehouseError } from '../clickhouse/warehouse-error.ts'
import { ModelError, type ModelErrorKind } from '../llm/model-error.ts'
import { boundedAssumptions, withDecidingAssumption } from './deciding-assumptions.ts'
import { draftAndExecute, type ExecutedDraft } from './draft-and-execute.ts'
import { isEmptyResult } from './empty-result.ts'
import { executeWithinBudget } from './execute-within-budget.ts'
import type { ExecutionOutcome } from './execution-outcome.ts'
import { focusSchema } from './focus-schema.ts'
import type { DraftOptions, SqlDraft } from './generate.ts'
import type { Narrowing } from './narrowing.ts'
import { replacedColumns } from './replaced-columns.ts'
import { resultTable } from './result-table.ts'
import type { RunContext } from './run-context.ts'
import type { FailedAttempt, QueryReport } from './run-result.ts'

/** Drafts that were not fit to run (refused by the guard, or no usable reply), beyond the first. */
const BUILD_RETRIES = 2
/** Of a result, shown while the others are still looked up and the answer is written. */
const FIRST_ROWS = 5
/** Queries that the engine found wrong, before they ran or then, and that are written again. */
const EXECUTION_RETRIES = 4

type Written = ExecutedDraft | { readonly failure: FailedAttempt; readonly mayRetry: boolean }

/** Replies of the model that another try may mend; the model away is this data question's failure, and the others go on. */
const UNUSABLE: readonly ModelErrorKind[] = ['invalid_output', 'truncated', 'empty', 'refused']
const MODEL_AWAY = 'The language model could not be reached in time.'
const AWAY: readonly ModelErrorKind[] = ['unavailable', 'rate_limited', 'timeout']

export interface DataQuestionOptions {
  readonly schema: Schema
  readonly id: string
  /** What the person asked, and the part of it that is answered here. */
  readonly question: string
  readonly dataQuestion: string
  /** Attempts that were made before, which count. */
  readonly failed?: readonly FailedAttempt[]
  /** The first attempt, where it was begun before. */
  readonly begun?: Promise<ExecutedDraft>
}

/** How often a query that ran may still be written anew, after these attempts. */
export function executionRetriesLeft(failed: readonly FailedAttempt[]): number {
  return EXECUTION_RETRIES - failed.filter(attempt => !isBuildFailure(attempt)).length
}

function isBuildFailure({ kind }: FailedAttempt): boolean {
  return kind === 'guard' || kind === 'model' || kind === 'model_away'
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
  const { dataQuestion, question } = options
  let schema = await focusSchema(context, options.schema, { text: dataQuestion, context: question }, signal)
  let buildRetries = BUILD_RETRIES - failed.filter(isBuildFailure).length
  let executionRetries = executionRetriesLeft(failed)
  let narrowing: Narrowing | null = null
  for (;;) {
    const begun = failed.length === 0 ? options.begun : undefined
    const written = await write(context, { ...options, schema, failed, narrowing }, begun, signal)
    if ('failure' in written) {
      failed.push(written.failure)
      if (!written.mayRetry || buildRetries-- === 0) return reportFailure(context, options, failed)
      continue
    }
    const { draft } = written
    const { id } = options
    const query = { schema, id, dataQuestion, attempt: failed.length + 1, narrowing, ...written }
    const outcome = await executeWithinBudget(context, query, signal)
    if (outcome.kind === 'succeeded') return reportSuccess(context, options, draft, outcome, failed, narrowing)
    if (outcome.kind === 'expensive') {
      failed.push(outcome.attempt)
      if (outcome.narrowing === null) return reportFailure(context, options, failed, draft)
      narrowing = outcome.narrowing
      context.observe({ kind: 'query_narrowed', id: options.id, why: narrowing.why })
      continue
    }

    const rejected = outcome.kind === 'rejected'
    const unknown = rejected || outcome.unknownColumn === undefined ? {} : { unknown_column: outcome.unknownColumn }
    const kind = rejected ? 'guard' : outcome.error
    failed.push({ sql: draft.sql, kind, message: outcome.message, near: outcome.near, ...unknown })
    const mayRetry = rejected ? buildRetries-- > 0 : ERROR_ROUTES[outcome.error].route === 'regenerate' && executionRetries-- > 0
    if (!mayRetry) return reportFailure(context, options, failed, draft)
    // A name that the schema had and the server has not: the schema has changed under us.
    if (!rejected && outcome.error === 'unknown_name') schema = await refreshed(context, schema, signal)
    const wrong = { text: `${dataQuestion} ${outcome.message}`, context: question, hints: tablesNear(draft.sql, outcome.near) }
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

async function write(
  context: RunContext,
  options: DraftOptions,
  begun: Promise<ExecutedDraft> | undefined,
  signal: AbortSignal,
): Promise<Written> {
  const { deps, log } = context
  try {
    return (await begun) ?? (await draftAndExecute(context, options, signal))
  } catch (error) {
    if (!(error instanceof ModelError) || ![...UNUSABLE, ...AWAY].includes(error.kind)) throw error
    if (UNUSABLE.includes(error.kind)) {
      return { failure: { sql: '', kind: 'model', message: error.message, near: [] }, mayRetry: true }
    }
    // What is inside of the endpoint's answer is for the log, not for the person.
    deps.logger.error({ code: error.code, error: error.message, run: log.runId }, 'no query was written: the model is away')
    return { failure: { sql: '', kind: 'model_away', message: MODEL_AWAY, near: [] }, mayRetry: false }
  }
}

type Options = Pick<DataQuestionOptions, 'id' | 'question' | 'dataQuestion'>

/** The report of a query that ran, which is shown at once. */
export function reportSuccess(
  context: RunContext,
  { id, question, dataQuestion }: Options,
  draft: SqlDraft,
  outcome: Extract<ExecutionOutcome, { kind: 'succeeded' }>,
  failed: readonly FailedAttempt[],
  narrowing: Narrowing | null,
): QueryReport {
  context.observe({
    kind: 'query_finished',
    id,
    question: dataQuestion,
    ok: true,
    rowCount: outcome.rows.length,
    elapsedMs: outcome.elapsed_ms,
    ...(isEmptyResult({ ...outcome, error: null }) ? {} : { table: resultTable(outcome, FIRST_ROWS) }),
  })
  return {
    id,
    question: dataQuestion,
    sql: outcome.sql,
    tables: outcome.tables,
    explanation: draft.explanation,
    ...assumptionsOfRun(draft, outcome.sql, failed, narrowing, `${context.request.question}\n${question}\n${dataQuestion}`),
    columns: outcome.columns,
    rows: outcome.rows,
    row_count: outcome.rows.length,
    truncated: outcome.truncated,
    attempts: failed.length + 1,
    error: null,
    elapsed_ms: outcome.elapsed_ms,
    unchecked: outcome.unchecked,
    review: null,
    look_up: [],
    narrowed: narrowing?.why ?? null,
    definitions: null,
    chart: draft.chart,
    failed_attempts: [...failed],
  }
}

function reportFailure(
  context: RunContext,
  { id, dataQuestion }: Options,
  failed: readonly FailedAttempt[],
  draft?: SqlDraft,
): QueryReport {
  context.observe({ kind: 'query_finished', id, question: dataQuestion, ok: false, rowCount: 0, elapsedMs: 0 })
  return {
    id,
    question: dataQuestion,
    sql: failed.findLast(attempt => attempt.sql !== '')?.sql ?? null,
    tables: null,
    explanation: draft?.explanation ?? '',
    ...assumptionsOf(draft),
    columns: [],
    rows: [],
    row_count: 0,
    truncated: false,
    attempts: failed.length,
    error: failed.at(-1)?.message ?? 'no query was written',
    elapsed_ms: 0,
    unchecked: null,
    review: null,
    look_up: [],
    narrowed: null,
    definitions: null,
    chart: null,
    failed_attempts: [...failed],
  }
}

/** With what the model may have left unsaid: which part was read, and what stands in for a column that does not exist. */
function assumptionsOfRun(
  draft: SqlDraft,
  sql: string,
  failed: readonly FailedAttempt[],
  narrowing: Narrowing | null,
  asked: string,
): Pick<QueryReport, 'assumptions' | 'deciding_assumptions'> {
  const own = assumptionsOf(draft)
  const unsaid = [
    ...(narrowing !== null && own.deciding_assumptions.length === 0
      ? [`Only a part of what was asked for was read; which one, its query says: \`${sql.replaceAll('`', '')}\``]
      : []),
    ...replacedColumns(failed, sql, asked),
  ]
  return unsaid.reduceRight(withDecidingAssumption, own)
}

function assumptionsOf(draft: SqlDraft | undefined): Pick<QueryReport, 'assumptions' | 'deciding_assumptions'> {
  const { assumptions = [], deciding_assumptions = [] } = draft ?? {}
  const deciding = boundedAssumptions(deciding_assumptions)
  return { assumptions: [...new Set([...deciding, ...assumptions])], deciding_assumptions: deciding }
}
