import { isDeepStrictEqual } from 'node:util'
import type { Plan, SubQuery } from '../../combine/plan.ts'
import { NotNeededError } from '../../history/not-needed-error.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import { InterruptError } from '../ask-back/interrupt.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { answerAndReview } from '../query/answer-and-review.ts'
import { reportFailure } from '../query/query-report.ts'
import type { RunContext, SourceInPlan } from '../run/context.ts'
import type { RunEvent } from '../run/event.ts'
import type { FailedAttempt, QueryReport } from '../run/result.ts'
import type { CancellableTask, TaskGroup } from '../run/task-group.ts'
import type { Scan } from './scan.ts'
import { ofSource } from './source-reports.ts'

type Outcome = QueryReport | InterruptError

interface StartedScan {
  readonly subQuery: SubQuery
  readonly task: CancellableTask<Outcome>
}

/** The sub-queries of a plan over several sources, while they are asked. */
export class Scans {
  readonly #context: RunContext
  readonly #sources: ReadonlyMap<string, SourceInPlan>
  readonly #question: string
  readonly #group: TaskGroup
  readonly #started = new Map<number, StartedScan>()

  constructor(context: RunContext, sources: readonly SourceInPlan[], question: string, group: TaskGroup) {
    this.#context = context
    this.#sources = new Map(sources.map(source => [source.config.id, source]))
    this.#question = question
    this.#group = group
  }

  /**
   * Asks a sub-query, unless the same one is being asked. One that waits for the keys of another is asked by `finish`, when the
   * plan is complete.
   */
  readonly start = (index: number, subQuery: SubQuery): void => {
    if (subQuery.restrict !== null || !this.#sources.has(subQuery.source)) return
    this.#begin(index, subQuery, async () => null)
  }

  /** Asks what was not asked yet, and waits for all. Reports come in the order of the sub-queries. */
  async finish(subQueries: readonly SubQuery[], plan: Plan | undefined): Promise<readonly Outcome[]> {
    for (const [index, { task }] of this.#started) {
      if (index < subQueries.length) continue
      task.cancel(new NotNeededError('the plan was written anew'))
      this.#context.observe({ kind: 'data_question_dropped', id: idOf(index) })
      this.#started.delete(index)
    }
    const waiting: [number, SubQuery][] = []
    for (const [index, subQuery] of subQueries.entries()) {
      if (plan !== undefined && subQuery.restrict !== null) waiting.push([index, subQuery])
      else this.#begin(index, subQuery, async () => null)
    }
    for (const [index, subQuery] of waiting) {
      const from = subQueries.findIndex(({ key }) => key === subQuery.restrict?.from)
      this.#begin(index, subQuery, async () => restrictBy(subQuery, await this.#started.get(from)?.task.result))
    }
    return Promise.all(subQueries.map(async (_, index) => (await this.#started.get(index)?.task.result) as Outcome))
  }

  /**
   * Asks a sub-query once more, because its rows could not be combined.
   * @param reason what the model must do otherwise
   */
  async again(index: number, subQuery: SubQuery, report: QueryReport, reason: string, signal: AbortSignal): Promise<QueryReport> {
    const attempt = { sql: report.sql ?? '', kind: 'combine', message: reason, near: [] }
    const failed = [...report.failed_attempts, attempt]
    const outcome = await this.#answer(index, subQuery, null, failed, signal)
    return outcome instanceof InterruptError || outcome.error !== null ? report : outcome
  }

  #begin(index: number, subQuery: SubQuery, restrict: () => Promise<Scan['restrict']>): void {
    const earlier = this.#started.get(index)
    if (earlier !== undefined && isDeepStrictEqual(earlier.subQuery, subQuery)) return
    earlier?.task.cancel(new NotNeededError('the plan was written anew'))
    const { source, question } = subQuery
    this.#context.observe({ kind: 'data_question_planned', id: idOf(index), question: shownQuestion(source, question) })
    const task = this.#group.start(async signal => this.#answer(index, subQuery, await restrict(), [], signal))
    this.#started.set(index, { subQuery, task })
  }

  async #answer(
    index: number,
    subQuery: SubQuery,
    restrict: Scan['restrict'],
    failed: readonly FailedAttempt[],
    signal: AbortSignal,
  ): Promise<Outcome> {
    const source = this.#sources.get(subQuery.source)
    if (source === undefined) throw new Error(`The plan asks the unknown source ${subQuery.source}`)
    const { config, parts, schema, isAway } = source
    const { id: sourceId } = config
    const observe = (event: RunEvent) =>
      this.#context.observe(
        event.kind === 'query_finished' ? { ...event, question: shownQuestion(sourceId, event.question) } : event,
      )
    const maxRows = Math.max(this.#context.maxRows, AGENT_LIMITS.planning.scanRows)
    const context = { ...this.#context, ...parts, observe, maxRows }
    const { columns, question: dataQuestion } = subQuery
    const asked = { id: idOf(index), question: this.#question, dataQuestion }
    const inPlan = (report: QueryReport) => ofSource(report, config)
    if (isAway) {
      const message = `The data source ${sourceId} cannot be reached.`
      return inPlan(reportFailure(observe, asked, [{ sql: '', kind: 'unavailable', message, near: [] }]))
    }
    try {
      const scan = columns.length === 0 ? undefined : { columns, restrict }
      return inPlan(await answerAndReview(context, { ...asked, schema, failed, ...(scan && { scan }) }, signal))
    } catch (error) {
      if (error instanceof InterruptError) return error
      if (signal.aborted || !(error instanceof WarehouseError) || error.kind === 'cancelled') throw error
      return inPlan(reportFailure(observe, asked, [{ sql: '', kind: error.kind, message: error.message, near: [] }]))
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
function restrictBy({ restrict }: SubQuery, from: Outcome | undefined): Scan['restrict'] {
  if (restrict === null || from === undefined || from instanceof InterruptError) return null
  if (from.error !== null || from.truncated) return null
  const at = from.columns.findIndex(({ name }) => name === restrict.key)
  const values = [...new Set(from.rows.map(row => row[at] ?? null).filter((cell: Cell) => cell !== null))]
  if (at < 0 || values.length > AGENT_LIMITS.planning.keys || !values.every(isPlain)) return null
  return { column: restrict.column, values }
}

function isPlain(cell: Cell): boolean {
  return typeof cell === 'string' || typeof cell === 'number'
}
