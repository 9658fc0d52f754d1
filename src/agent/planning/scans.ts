import type { Plan, SubQuery } from '../../combine/plan.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import { InterruptError } from '../ask-back/interrupt.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { answerAndReview } from '../query/answer-and-review.ts'
import { reportFailure } from '../query/query-report.ts'
import type { RunContext, SourceInPlan } from '../run/context.ts'
import type { RunEvent } from '../run/event.ts'
import type { FailedAttempt, QueryReport } from '../run/result.ts'
import type { TaskGroup } from '../run/task-group.ts'
import { PlanGate } from './plan-gate.ts'
import type { Restriction } from './scan.ts'
import { ofSource } from './source-reports.ts'

type Outcome = QueryReport | InterruptError

/** The sub-queries of a question over several sources. */
interface AskedQueries {
  readonly sources: readonly SourceInPlan[]
  readonly question: string
  readonly subQueries: readonly SubQuery[]
  /** Undefined if the plan was refused. The sub-queries then stand side by side, without a contract. */
  readonly plan: Plan | undefined
}

/** Asks the sub-queries of a question over several sources. */
export class Scans {
  readonly #context: RunContext
  readonly #asked: AskedQueries
  readonly #gate: PlanGate | undefined

  constructor(context: RunContext, asked: AskedQueries) {
    const { plan, subQueries } = asked
    this.#context = context
    this.#asked = asked
    if (plan !== undefined) {
      this.#gate = new PlanGate(
        plan,
        subQueries.map(({ key }) => key),
      )
    }
  }

  /** Asks all sub-queries at the same time. Reports come in their order. */
  answer(group: TaskGroup): Promise<readonly Outcome[]> {
    const { subQueries } = this.#asked
    for (const [index, { source, question }] of subQueries.entries()) {
      this.#context.observe({ kind: 'data_question_planned', id: idOf(index), question: shownQuestion(source, question) })
    }
    const outcomes: Promise<Outcome>[] = []
    const keysOf = async ({ restrict }: SubQuery) =>
      restrict === null ? null : restrictionBy(restrict, await outcomes[subQueries.findIndex(({ key }) => key === restrict.from)])
    for (const [index, subQuery] of subQueries.entries()) {
      const answer = (signal: AbortSignal) => this.#answer(index, [], signal, () => keysOf(subQuery))
      outcomes.push(group.start(signal => answer(signal).finally(() => this.#gate?.leave(subQuery.key))).result)
    }
    return Promise.all(outcomes)
  }

  /**
   * Asks a sub-query once more, because its rows could not be combined.
   * @param reason what the model must do otherwise
   */
  async again(index: number, report: QueryReport, reason: string, signal: AbortSignal): Promise<QueryReport> {
    const attempt = { sql: report.sql ?? '', kind: 'combine', message: reason, near: [] }
    const outcome = await this.#answer(index, [...report.failed_attempts, attempt], signal)
    return outcome instanceof InterruptError || outcome.error !== null ? report : outcome
  }

  async #answer(
    index: number,
    failed: readonly FailedAttempt[],
    signal: AbortSignal,
    restriction: () => Promise<Restriction | null> = async () => null,
  ): Promise<Outcome> {
    const gate = this.#gate
    const { sources, subQueries, plan, question } = this.#asked
    const { key, source: id, question: dataQuestion, columns } = subQueries[index] ?? fail(`The plan has no sub-query ${index}`)
    const source = sources.find(({ config }) => config.id === id) ?? fail(`The plan asks the unknown source ${id}`)
    const { config, parts, schema, isAway } = source
    const node = plan?.idOfKey.get(key)
    const observe = (event: RunEvent) =>
      this.#context.observe(event.kind === 'query_finished' ? { ...event, question: shownQuestion(id, event.question) } : event)
    const asked = { id: idOf(index), question, dataQuestion }
    const inPlan = (report: QueryReport) => ({ ...ofSource(report, config), ...(node !== undefined && { node }) })
    const failure = (kind: string, message: string) =>
      inPlan(reportFailure(observe, asked, [{ sql: '', kind, message, near: [] }]))
    if (isAway) return failure('unavailable', `The data source ${id} cannot be reached.`)
    const maxRows = Math.max(this.#context.maxRows, gate === undefined ? 0 : AGENT_LIMITS.planning.scanRows)
    const context = { ...this.#context, ...parts, observe, maxRows }
    const scan = gate && {
      columns,
      admit: (actual: Parameters<PlanGate['admit']>[1], own: AbortSignal) => gate.admit(key, actual, own),
      restriction,
    }
    try {
      return inPlan(await answerAndReview(context, { ...asked, schema, failed, ...(scan && { scan }) }, signal))
    } catch (error) {
      if (error instanceof InterruptError) return error
      if (signal.aborted || !(error instanceof WarehouseError) || error.kind === 'cancelled') throw error
      return failure(error.kind, error.message)
    }
  }
}

export function idOf(index: number): string {
  return `Q${index + 1}`
}

/** Returns a sub-query as surfaces show it while it runs. */
function shownQuestion(source: string, question: string): string {
  return `${source}: ${question}`
}

/** Returns the keys to which a sub-query is limited. Null if they are too many, or unknown. */
function restrictionBy({ column, key }: NonNullable<SubQuery['restrict']>, from: Outcome | undefined): Restriction | null {
  if (from === undefined || from instanceof InterruptError || from.error !== null || from.truncated) return null
  const at = from.columns.findIndex(({ name }) => name === key)
  const values = [...new Set(from.rows.map(row => row[at] ?? null).filter((cell: Cell) => cell !== null))]
  if (at < 0 || values.length > AGENT_LIMITS.planning.keys || !values.every(isPlain)) return null
  return { column, values }
}

function isPlain(cell: Cell): boolean {
  return typeof cell === 'string' || typeof cell === 'number'
}

function fail(message: string): never {
  throw new Error(message)
}
