import { nodeId } from '../../combine/ids.ts'
import type { NodeId, Plan, SubQuery } from '../../combine/plan.ts'
import { abortable } from '../../store/abortable.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { Cell, ResultColumn } from '../../warehouse/warehouse.ts'
import { InterruptError } from '../ask-back/interrupt.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { answerAndReview } from '../query/answer-and-review.ts'
import { reportFailure } from '../query/query-report.ts'
import { idOf, orInterrupt, StartedQuestions } from '../query/started-questions.ts'
import type { RunContext, SourceInPlan } from '../run/context.ts'
import type { RunEvent } from '../run/event.ts'
import type { FailedAttempt, QueryReport } from '../run/result.ts'
import type { TaskGroup } from '../run/task-group.ts'
import { type PlanGate, planGate } from './plan-gate.ts'
import type { Restriction, Scan } from './scan.ts'
import { ofSource } from './source-reports.ts'

/** A plan that the program has accepted, with its sub-queries, each content once. */
interface Accepted {
  readonly plan: Plan
  readonly subQueries: readonly SubQuery[]
  readonly gate: PlanGate
}

/** Asks the sub-queries of a question over several sources. Their SQL is written while the plan is still being written. */
export class Scans {
  readonly #context: RunContext
  readonly #sources: ReadonlyMap<string, SourceInPlan>
  readonly #question: string
  /** What is asked, and whether the plan is known to be refused. */
  readonly #started: StartedQuestions<readonly [SubQuery, isRefused: boolean]>
  /** The contents of the sub-queries as the model writes them, by their places in the plan. */
  readonly #written: NodeId[] = []
  #accept: (accepted: Accepted) => void = () => {}
  readonly #accepted = new Promise<Accepted>(resolve => {
    this.#accept = resolve
  })

  constructor(context: RunContext, sources: readonly SourceInPlan[], question: string, group: TaskGroup) {
    this.#context = context
    this.#sources = new Map(sources.map(source => [source.config.id, source]))
    this.#question = question
    this.#started = new StartedQuestions(context, group)
  }

  /** Begins to write a sub-query's SQL as soon as the model has written the sub-query. The same content is asked once. */
  readonly start = (index: number, subQuery: SubQuery): void => {
    const content = nodeId('scan', subQuery)
    this.#written[index] = content
    const before = new Set(this.#written.slice(0, index))
    if (!before.has(content)) this.#start(before.size, subQuery)
  }

  /** Begins to write a sub-query's SQL. It runs only after `finish` has been given its plan, or if the plan is refused. */
  #start(index: number, subQuery: SubQuery, isRefused = false): void {
    const { source, key, question } = subQuery
    if (!this.#sources.has(source)) return
    const restriction = isRefused ? undefined : () => this.#restrictionOf(subQuery)
    this.#started.begin(index, [subQuery, isRefused], `${source}: ${question}`, signal =>
      this.#answer(index, subQuery, [], signal, restriction).finally(() => {
        this.#accepted.then(({ gate }) => gate.leave(key))
      }),
    )
  }

  /**
   * Runs all sub-queries at the same time, each content once, and waits for them. Reports come in their order.
   * @param plan undefined if the plan was refused. The sub-queries then stand side by side, without a contract.
   * @throws InterruptError
   */
  async finish(written: readonly SubQuery[], plan: Plan | undefined): Promise<readonly QueryReport[]> {
    const contents = written.map(subQuery => plan?.idOfKey.get(subQuery.key) ?? nodeId('scan', subQuery))
    const subQueries = written.filter((_, index) => contents.indexOf(contents[index] ?? '') === index)
    this.#started.keep(subQueries.length)
    for (const [index, subQuery] of subQueries.entries()) this.#start(index, subQuery, plan === undefined)
    if (plan === undefined) return this.#started.reports()
    const keys = subQueries.map(({ key }) => key)
    this.#accept({ plan, subQueries, gate: planGate(plan, keys) })
    const reports = await this.#started.reports()
    return reports.map((report, index) => ({ ...report, node: plan.idOfKey.get(keys[index] ?? '') ?? unknown() }))
  }

  /**
   * Asks a sub-query once more, because its rows could not be combined.
   * @param reason what the model must do otherwise
   */
  async again(index: number, report: QueryReport, reason: string, signal: AbortSignal): Promise<QueryReport> {
    const attempt = { sql: report.sql ?? '', kind: 'combine', message: reason, near: [] }
    const subQuery = (await this.#accepted).subQueries[index] ?? unknown()
    const failed = [...report.failed_attempts, attempt]
    const outcome = await orInterrupt(this.#answer(index, subQuery, failed, signal, async () => null))
    return outcome instanceof InterruptError || outcome.error !== null ? report : { ...outcome, node: report.node }
  }

  /** Returns the keys to which a sub-query is limited. Null if they are too many, or unknown. */
  async #restrictionOf({ restrict }: SubQuery): Promise<Restriction | null> {
    if (restrict === null) return null
    const { plan, subQueries } = await this.#accepted
    const index = subQueries.findIndex(each => plan.idOfKey.get(each.key) === plan.idOfKey.get(restrict.from))
    const from = await this.#started.outcome(index)
    if (from === undefined || from instanceof InterruptError || from.error !== null || from.truncated) return null
    const at = from.columns.findIndex(({ name }) => name === restrict.key)
    const values = [...new Set(from.rows.map(row => row[at] ?? null).filter((cell: Cell) => cell !== null))]
    const arePlain = values.every(cell => typeof cell === 'string' || typeof cell === 'number')
    return at >= 0 && values.length <= AGENT_LIMITS.planning.keys && arePlain ? { column: restrict.column, values } : null
  }

  /** @param restriction absent if the plan was refused */
  async #answer(
    index: number,
    { source: id, key, question: dataQuestion, columns }: SubQuery,
    failed: readonly FailedAttempt[],
    signal: AbortSignal,
    restriction?: Scan['restriction'],
  ): Promise<QueryReport> {
    const { config, parts, schema, isAway } = this.#sources.get(id) ?? unknown()
    const observe = (event: RunEvent) =>
      this.#context.observe(event.kind === 'query_finished' ? { ...event, question: `${id}: ${event.question}` } : event)
    const asked = { id: idOf(index), question: this.#question, dataQuestion }
    const failure = (kind: string, message: string) =>
      ofSource(reportFailure(observe, asked, [{ sql: '', kind, message, near: [] }]), config)
    if (isAway) return failure('unavailable', `The data source ${id} cannot be reached.`)
    const scan = restriction && {
      columns,
      admit: async (actual: readonly ResultColumn[], own: AbortSignal) =>
        (await abortable(this.#accepted, own)).gate.admit(key, actual, own),
      restriction,
    }
    const maxRows = Math.max(this.#context.maxRows, scan === undefined ? 0 : AGENT_LIMITS.planning.scanRows)
    const context = { ...this.#context, ...parts, observe, maxRows }
    try {
      return ofSource(await answerAndReview(context, { ...asked, schema, failed, ...(scan && { scan }) }, signal), config)
    } catch (error) {
      if (signal.aborted || !(error instanceof WarehouseError) || error.kind === 'cancelled') throw error
      return failure(error.kind, error.message)
    }
  }
}

/** For a sub-query or source that the accepted plan must have. */
function unknown(): never {
  throw new Error('The plan has no such sub-query or source')
}
