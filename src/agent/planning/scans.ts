import { isDeepStrictEqual } from 'node:util'
import { nodeId } from '../../combine/ids.ts'
import type { NodeId, Plan, SubQuery } from '../../combine/plan.ts'
import { NotNeededError } from '../../history/not-needed-error.ts'
import { abortable } from '../../store/abortable.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { Cell, ResultColumn } from '../../warehouse/warehouse.ts'
import { InterruptError } from '../ask-back/interrupt.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { answerAndReview } from '../query/answer-and-review.ts'
import { reportFailure } from '../query/query-report.ts'
import type { RunContext, SourceInPlan } from '../run/context.ts'
import type { RunEvent } from '../run/event.ts'
import type { FailedAttempt, QueryReport } from '../run/result.ts'
import type { CancellableTask, TaskGroup } from '../run/task-group.ts'
import { PlanGate } from './plan-gate.ts'
import type { Restriction, Scan } from './scan.ts'
import { ofSource } from './source-reports.ts'

type Outcome = QueryReport | InterruptError

interface StartedScan {
  readonly subQuery: SubQuery
  readonly task: CancellableTask<Outcome>
}

/** A plan that the program has accepted. */
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
  readonly #group: TaskGroup
  readonly #started = new Map<number, StartedScan>()
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
    this.#group = group
  }

  /** Begins to write a sub-query's SQL as soon as the model has written the sub-query. The same content is asked once. */
  readonly start = (index: number, subQuery: SubQuery): void => {
    const content = nodeId('scan', subQuery)
    this.#written[index] = content
    const before = new Set(this.#written.slice(0, index))
    if (!before.has(content)) this.#start(before.size, subQuery)
  }

  /** Begins to write a sub-query's SQL, unless the same one has begun. It runs only after `finish` has been given its plan. */
  #start(index: number, subQuery: SubQuery): void {
    const { source, key, restrict } = subQuery
    if (!this.#sources.has(source) || isDeepStrictEqual(this.#started.get(index)?.subQuery, subQuery)) return
    const restriction = async () => {
      if (restrict === null) return null
      const { plan, subQueries } = await this.#accepted
      const from = subQueries.findIndex(each => plan.idOfKey.get(each.key) === plan.idOfKey.get(restrict.from))
      return restrictionBy(restrict, await this.#started.get(from)?.task.result)
    }
    this.#begin(index, subQuery, signal =>
      this.#answer(index, subQuery, [], signal, restriction).finally(() => {
        this.#accepted.then(({ gate }) => gate.leave(key))
      }),
    )
  }

  /**
   * Runs all sub-queries at the same time, each content once, and waits for them. Reports come in their order.
   * @param plan undefined if the plan was refused. The sub-queries then stand side by side, without a contract.
   */
  async finish(written: readonly SubQuery[], plan: Plan | undefined): Promise<readonly Outcome[]> {
    const contents = written.map(subQuery => plan?.idOfKey.get(subQuery.key) ?? nodeId('scan', subQuery))
    const subQueries = written.filter((_, index) => contents.indexOf(contents[index] ?? '') === index)
    for (const index of [...this.#started.keys()]) {
      if (plan !== undefined && index < subQueries.length) continue
      this.#drop(index)
      if (index >= subQueries.length) this.#context.observe({ kind: 'data_question_dropped', id: idOf(index) })
    }
    for (const [index, subQuery] of subQueries.entries()) {
      if (plan === undefined) this.#begin(index, subQuery, signal => this.#answer(index, subQuery, [], signal))
      else this.#start(index, subQuery)
    }
    if (plan !== undefined) {
      const keys = subQueries.map(({ key }) => key)
      this.#accept({ plan, subQueries, gate: new PlanGate(plan, keys) })
    }
    const outcomes = await Promise.all([...subQueries.keys()].map(index => this.#started.get(index)?.task.result ?? unknown()))
    return outcomes.map((outcome, index) => {
      const node = plan?.idOfKey.get(subQueries[index]?.key ?? '')
      return outcome instanceof InterruptError || node === undefined ? outcome : { ...outcome, node }
    })
  }

  /**
   * Asks a sub-query once more, because its rows could not be combined.
   * @param reason what the model must do otherwise
   */
  async again(index: number, report: QueryReport, reason: string, signal: AbortSignal): Promise<QueryReport> {
    const attempt = { sql: report.sql ?? '', kind: 'combine', message: reason, near: [] }
    const { subQuery } = this.#started.get(index) ?? unknown()
    const outcome = await this.#answer(index, subQuery, [...report.failed_attempts, attempt], signal, async () => null)
    return outcome instanceof InterruptError || outcome.error !== null
      ? report
      : { ...outcome, ...(report.node && { node: report.node }) }
  }

  #begin(index: number, subQuery: SubQuery, work: (signal: AbortSignal) => Promise<Outcome>): void {
    this.#drop(index)
    const { source, question } = subQuery
    this.#context.observe({ kind: 'data_question_planned', id: idOf(index), question: shownQuestion(source, question) })
    this.#started.set(index, { subQuery, task: this.#group.start(work) })
  }

  #drop(index: number): void {
    this.#started.get(index)?.task.cancel(new NotNeededError('the plan was written anew'))
    this.#started.delete(index)
  }

  /** @param restriction absent if the plan was refused */
  async #answer(
    index: number,
    { source: id, key, question: dataQuestion, columns }: SubQuery,
    failed: readonly FailedAttempt[],
    signal: AbortSignal,
    restriction?: Scan['restriction'],
  ): Promise<Outcome> {
    const { config, parts, schema, isAway } = this.#sources.get(id) ?? unknown()
    const observe = (event: RunEvent) =>
      this.#context.observe(event.kind === 'query_finished' ? { ...event, question: shownQuestion(id, event.question) } : event)
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

/** For a sub-query or source that the accepted plan must have. */
function unknown(): never {
  throw new Error('The plan has no such sub-query or source')
}
