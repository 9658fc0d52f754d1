import { errorRoute } from '../../warehouse/error-routes.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { inSource } from '../planning/choose-sources.ts'
import { execute } from '../query/execute.ts'
import type { ExecutionOutcome } from '../query/execution-outcome.ts'
import { explained, reportFailure, reportRows } from '../query/query-report.ts'
import type { RunContext } from '../run/context.ts'
import { RunError } from '../run/error.ts'
import type { FailedAttempt, QueryReport } from '../run/result.ts'
import { loadSchema } from '../schema/load-schema.ts'
import { type AnswerFromQueries, answerFromQueries } from '../write/answer-from-queries.ts'
import { synthesize } from '../write/synthesize.ts'
import type { FrozenQuery, StandingRun } from './frozen-plan.ts'
import { atDueTime } from './frozen-sql.ts'

/** The answer of a due run. `markdown` is empty if nothing is to be written. */
export type StandingAnswer = AnswerFromQueries & { readonly context: RunContext }

const NOTHING = { markdown: '', chart: null, citations: null, figures: [], doubts: [], note: '' } as const

/**
 * Runs a frozen plan: its gate, then its queries, then the words. Guard, check and budget apply to the SQL as to any other, with
 * the present rights of its owner.
 * @throws RunError if the owner may not use its source; ModelError, WarehouseError
 */
export async function runStanding(context: RunContext, standing: StandingRun, signal: AbortSignal): Promise<StandingAnswer> {
  const { plan, mayRead, toWrite } = standing
  const { context: own, schema } = await inOwnSource(context, plan.source, signal)
  if (plan.gate !== null && !mayRead(await readGate(own, schema, standing, plan.gate, signal)))
    return { ...NOTHING, queries: [], context: own }
  const reports = await Promise.all(plan.queries.map(query => runFrozen(own, schema, query, standing.due, signal)))
  const written = toWrite(reports)
  if (written === null) return { ...NOTHING, queries: reports, context: own }
  const { question, difference } = written
  const write = (answered: readonly QueryReport[]) => synthesize(own, question, answered, signal)
  const answered = difference === null ? reports : [...reports, difference]
  return { ...(await answerFromQueries(own, schema, { question, answered, leftOut: [], write }, signal)), context: own }
}

/**
 * Returns the parts of a subscription's own data source.
 * @throws RunError if the person may not use it
 */
export async function inOwnSource(context: RunContext, id: string | null, signal: AbortSignal) {
  const { sources } = context
  if (sources === undefined) return { context, schema: await loadSchema(context, signal) }
  const source = sources.find(({ config }) => (id === null ? config.isDefault : config.id === id))
  if (source === undefined) throw RunError.noSource()
  return inSource(context, source, signal)
}

async function readGate(
  context: RunContext,
  schema: Schema,
  { due }: StandingRun,
  gate: string,
  signal: AbortSignal,
): Promise<Parameters<StandingRun['mayRead']>[0]> {
  const outcome = await executeFrozen(context, schema, { id: 'gate', sql: gate }, due, signal)
  return outcome.kind === 'succeeded' ? { row: JSON.stringify(outcome.rows[0] ?? null) } : { error: failureOf(outcome).message }
}

async function runFrozen(
  context: RunContext,
  schema: Schema,
  query: FrozenQuery,
  due: number,
  signal: AbortSignal,
): Promise<QueryReport> {
  const { id, question } = query
  const outcome = await executeFrozen(context, schema, query, due, signal)
  const asked = { id, question, dataQuestion: question }
  if (outcome.kind === 'succeeded') return explained(reportRows(context.observe, asked, outcome, [], null), query)
  const { message, near, kind } = failureOf(outcome)
  return reportFailure(context.observe, asked, [{ sql: query.sql, kind, message, near }], query)
}

function executeFrozen(
  context: RunContext,
  schema: Schema,
  { id, sql }: Pick<FrozenQuery, 'id' | 'sql'>,
  due: number,
  signal: AbortSignal,
): Promise<ExecutionOutcome> {
  const written = atDueTime(sql, due, context.dialect)
  const query = { schema, id, attempt: 1, sql: written, isVerified: true, isConfirmed: false, tooExpensive: null }
  return execute(context, query, signal)
}

function failureOf(outcome: Exclude<ExecutionOutcome, { kind: 'succeeded' }>): Pick<FailedAttempt, 'message' | 'near' | 'kind'> {
  if (outcome.kind === 'costly') return { message: `It ${outcome.excess}.`, near: [], kind: 'cost' }
  if (outcome.kind === 'rejected') return { message: outcome.message, near: outcome.near, kind: 'guard' }
  return { message: outcome.message, near: outcome.near, kind: outcome.error }
}

/**
 * Whether a frozen query can never run again as it is: its names, types or rights are no longer valid, or it has become too
 * expensive. Other failures pass.
 */
export function isInvalid({ failed_attempts }: Pick<QueryReport, 'failed_attempts'>): boolean {
  const kind = failed_attempts.at(-1)?.kind
  return kind === 'guard' || kind === 'cost' || (kind !== undefined && errorRoute(kind) === 'regenerate')
}
