import { errorRoute } from '../../warehouse/error-routes.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { subscriptionWords } from '../../words/subscription.ts'
import { type Answer, inWords } from '../answer.ts'
import { inSource } from '../planning/choose-sources.ts'
import { execute } from '../query/execute.ts'
import { explained, reportFailure, reportRows } from '../query/query-report.ts'
import type { RunContext } from '../run/context.ts'
import { RunError } from '../run/error.ts'
import type { QueryReport } from '../run/result.ts'
import { loadSchema } from '../schema/load-schema.ts'
import { answerFromQueries } from '../write/answer-from-queries.ts'
import { synthesize } from '../write/synthesize.ts'
import { checkCondition } from './condition.ts'
import { differenceOf } from './difference.ts'
import type { FrozenQuery, StandingRun } from './frozen-plan.ts'
import { atDueTime } from './frozen-sql.ts'

const GATE = { id: 'gate', question: '', explanation: '', assumptions: [], deciding_assumptions: [], chart: null }

/**
 * Runs a frozen plan: its gate, then its queries, then the words. Guard, check and budget apply to the SQL as to any other, with
 * the present rights of its owner. `markdown` is empty if nothing is to be written.
 * @throws ModelError, WarehouseError
 */
export async function runStanding(
  context: RunContext,
  schema: Schema,
  standing: StandingRun,
  signal: AbortSignal,
): Promise<Answer> {
  const { plan, due, language } = standing
  const run = (query: FrozenQuery) => runFrozen(context, schema, query, due, signal)
  const gate = plan.gate === null ? undefined : await run({ ...GATE, sql: plan.gate })
  const quiet = { ...inWords(''), ...(gate && { gate }) }
  if (gate && !mayRead(standing, gate)) return quiet
  const queries = await Promise.all(plan.queries.map(run))
  if (!isToWrite(standing, queries)) return { ...quiet, queries }
  const words = subscriptionWords(language)
  const difference = differenceOf(standing, queries, words.difference)
  const question = difference === null ? plan.question : words.changedSince(plan.question)
  const write = (answered: readonly QueryReport[]) => synthesize(context, question, answered, signal)
  const found = { question, answered: difference === null ? queries : [...queries, difference], leftOut: [], write }
  return { ...quiet, ...(await answerFromQueries(context, schema, found, signal)) }
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

/** A report whose gate fails comes all the same. An alert whose gate fails does not fire. */
function mayRead({ kind, gateRow }: StandingRun, gate: QueryReport): boolean {
  return gate.error === null ? gateRowOf(gate) !== gateRow : kind === 'report'
}

/** Returns the row of a work gate, as it is remembered. */
export function gateRowOf({ rows }: QueryReport): string {
  return JSON.stringify(rows[0] ?? null)
}

/** Whether results are to be put into words. A condition that cannot be checked keeps back nothing. */
function isToWrite(standing: StandingRun, reports: readonly QueryReport[]): boolean {
  const isMet = checkCondition(standing, reports, standing.due)?.firing.length !== 0
  return standing.kind === 'report' && isMet && !reports.some(isInvalid) && reports.some(({ error }) => error === null)
}

async function runFrozen(context: RunContext, schema: Schema, query: FrozenQuery, due: number, signal: AbortSignal) {
  const { observe } = context
  const { id, question } = query
  const sql = atDueTime(query.sql, due, context.dialect)
  const written = { schema, id, attempt: 1, sql, isVerified: true, isConfirmed: false, tooExpensive: null }
  const outcome = await execute(context, written, signal)
  const asked = { id, question, dataQuestion: question }
  if (outcome.kind === 'succeeded') return explained(reportRows(observe, asked, outcome, [], null), query)
  const failed =
    outcome.kind === 'costly'
      ? { message: `It ${outcome.excess}.`, near: [], kind: 'cost' }
      : { message: outcome.message, near: outcome.near, kind: outcome.kind === 'rejected' ? 'guard' : outcome.error }
  return reportFailure(observe, asked, [{ sql: query.sql, ...failed }], query)
}

/**
 * Whether a frozen query can never run again as it is: its names, types or rights are no longer valid, or it has become too
 * expensive. Other failures pass.
 */
export function isInvalid({ failed_attempts }: Pick<QueryReport, 'failed_attempts'>): boolean {
  const kind = failed_attempts.at(-1)?.kind
  return kind === 'guard' || kind === 'cost' || (kind !== undefined && errorRoute(kind) === 'regenerate')
}
