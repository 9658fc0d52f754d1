import type { ChartRequest } from '../../charts/chart-request.ts'
import type { CombineOutcome } from '../../combine/answer-terminals.ts'
import { CombineError } from '../../combine/engine.ts'
import { ancestorsOf, type NodeId, type Plan } from '../../combine/plan.ts'
import type { MatchReport } from '../../combine/relation.ts'
import { reportFailure, reportRows } from '../query/query-report.ts'
import { idOf } from '../query/started-questions.ts'
import type { RunContext } from '../run/context.ts'
import type { Combined, QueryReport } from '../run/result.ts'
import type { Scans } from './scans.ts'

/** The answered sub-queries of a plan. */
interface AnsweredScans {
  readonly plan: Plan
  readonly scans: Scans
  /** The reports of the sub-queries, in the plan's order. */
  readonly answered: readonly QueryReport[]
  /** The person's question. */
  readonly question: string
  /** How to draw the last result. */
  readonly chart: ChartRequest | null
}

/** Refusals after which a sub-query is written once more, with what it must do otherwise. */
const WRITTEN_AGAIN: Readonly<Partial<Record<string, string>>> = {
  too_large_to_combine:
    'The result has too many rows to be combined: return one row for each key, with the sums or counts that the data question needs.',
  repeated_rows:
    'The result has several rows for one key, so that joined sums would be wrong: return one row for each key, with the sums or counts that the data question needs.',
}

/**
 * Combines the results of a plan's sub-queries. If rows are too many, or a sum would count some twice, the sub-queries are written
 * once more at the grain of their keys. Reports of sub-queries come first, then one for each result of the plan.
 * @returns also why nothing could be combined; null if it could, or need not
 * @throws WarehouseError if the combining engine is gone
 */
export async function combineScans(context: RunContext, asked: AnsweredScans, signal: AbortSignal) {
  let { answered } = asked
  const shown = () => answered.map(report => bounded(report, context.maxRows))
  if (asked.plan.terminals.length === 0) return { queries: shown(), refused: null }
  try {
    let outcomes = await combine(context, asked, signal)
    const again = await writtenAgain(asked, outcomes, signal)
    if (again !== undefined) {
      answered = again
      outcomes = await combine(context, { ...asked, answered }, signal)
    }
    const combined = outcomes.flatMap((outcome, index) => reportOf(context, { ...asked, answered }, outcome, index))
    return { queries: [...shown(), ...combined], refused: null }
  } catch (error) {
    if (!(error instanceof CombineError)) throw error
    context.logger.warn({ err: error, run: context.log.runId }, 'results of several sources cannot be combined')
    return { queries: shown(), refused: error.message }
  }
}

function combine(context: RunContext, { plan, answered }: AnsweredScans, signal: AbortSignal) {
  const { combiner, log, planned = [] } = context
  const results = new Map(
    answered.flatMap(({ node, source, error, columns, rows, truncated }) => {
      const timeZone = planned.find(({ config }) => config.id === source)?.schema.timeZone ?? 'UTC'
      return node === undefined || error !== null ? [] : [[node, { columns, rows, truncated, timeZone }] as const]
    }),
  )
  if (combiner === undefined) throw new Error('A plan over several sources has no combining engine')
  context.observe({ kind: 'step_started', step: 'combine', attempt: 1 })
  return log.trace({ step: 'combine' }, { terminals: plan.terminals }, signal, async trace => {
    const outcomes = await combiner.combine({ plan, results }, signal)
    const refusal = outcomes.find(outcome => outcome.kind === 'refused')
    if (refusal !== undefined) trace.failure(refusal.message)
    return outcomes
  })
}

/** Writes the sub-queries once more whose rows could not be combined. Undefined if there are none, or if none became better. */
async function writtenAgain(asked: AnsweredScans, outcomes: readonly CombineOutcome[], signal: AbortSignal) {
  const { plan, scans, answered } = asked
  const reasons = new Map<NodeId | undefined, string>()
  for (const outcome of outcomes) {
    const reason = outcome.kind === 'refused' ? WRITTEN_AGAIN[outcome.reason] : undefined
    if (reason === undefined) continue
    for (const { id } of ancestorsOf(plan, outcome.node)) reasons.set(id, reason)
  }
  const again = await Promise.all(
    answered.map((report, index) => {
      const reason = reasons.get(report.node)
      return reason === undefined || report.error !== null ? report : scans.again(index, report, reason, signal)
    }),
  )
  return again.some((report, index) => report !== answered[index]) ? again : undefined
}

function reportOf({ observe, maxRows }: RunContext, asked: AnsweredScans, outcome: CombineOutcome, index: number) {
  // The sub-query without a result is reported itself, with the reason.
  if (outcome.kind === 'refused' && outcome.reason === 'missing_input') return []
  const id = idOf(asked.answered.length + index)
  const named = { id, question: asked.question, dataQuestion: questionOf(asked, outcome.node) }
  const inputs = scansOf(asked, outcome.node)
  const tables = inputs.map(({ tables: own }) => own)
  const more = {
    node: outcome.node,
    tables: tables.includes(null) ? null : [...new Set(tables.flatMap(own => own ?? []))],
    combined: { inputs: inputs.map(input => input.id), joins: outcome.reports.map(report => joinOf(asked, report)) },
  }
  if (outcome.kind === 'refused') {
    const kind = outcome.reason in WRITTEN_AGAIN ? outcome.reason : 'combine'
    const failed = [{ sql: '', kind, message: outcome.message, near: [] }]
    return [{ ...reportFailure(observe, named, failed), ...more }]
  }
  const { columns, rows, truncated, elapsedMs: elapsed_ms } = outcome.result
  const found = {
    ...{ kind: 'succeeded' as const, sql: outcome.sql, tables: more.tables, columns, elapsed_ms, unchecked: null },
    rows: rows.slice(0, maxRows),
    truncated: truncated || rows.length > maxRows,
  }
  const report = reportRows(observe, named, found, [], null)
  const chart = index === asked.plan.terminals.length - 1 ? asked.chart : null
  const drawn = { explanation: '', assumptions: [], deciding_assumptions: [], chart }
  return [{ ...report, ...drawn, ...more }]
}

/** Returns the question that a result of the plan answers. */
function questionOf({ plan, question }: AnsweredScans, id: NodeId): string {
  const node = plan.nodes.find(each => each.id === id)
  if (node?.stage === 'post') return node.definition.question
  return plan.terminals.length === 1 || node === undefined ? question : node.definition.key.replaceAll('_', ' ')
}

/** Returns the reports of the sub-queries whose rows a node has. */
function scansOf({ plan, answered }: AnsweredScans, id: NodeId): readonly QueryReport[] {
  const needed = ancestorsOf(plan, id).map(node => node.id)
  return answered.filter(({ node }) => node !== undefined && needed.includes(node))
}

function joinOf(asked: AnsweredScans, { definition, counts }: MatchReport): Combined['joins'][number] {
  const side = (node: NodeId) => scansOf(asked, node).map(({ id }) => id)
  return {
    kind: definition.kind === 'join' ? definition.join : 'compare',
    left: side(definition.left),
    right: side(definition.right),
    on: definition.on.map(({ left }) => left),
    ...counts,
  }
}

/** Cuts the result of a sub-query to the rows that a person may get. More were read only to be combined. */
function bounded(report: QueryReport, maxRows: number): QueryReport {
  if (report.rows.length <= maxRows) return report
  const total = report.truncated ? report.total_rows : report.rows.length
  const cut = { ...report, rows: report.rows.slice(0, maxRows), row_count: maxRows, truncated: true }
  return total === undefined ? cut : { ...cut, total_rows: total }
}
