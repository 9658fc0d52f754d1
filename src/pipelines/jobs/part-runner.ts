import { ExponentialBackoff, handleWhen, retry } from 'cockatiel'
import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import type { ColumnLineage } from '../../warehouse/column-lineage.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { TableName } from '../../warehouse/schema.ts'
import { quoteTable } from '../../warehouse/sql/quote-identifier.ts'
import { PipelineError } from '../error.ts'
import { PIPELINES_LIMITS } from '../limits.ts'
import type { OperationLog, OperationLogEntry } from '../log/operation-log.ts'
import { operationReads } from '../log/operation-reads.ts'
import { renderTemplate } from '../sql-template.ts'
import type { MarkedTable, PipelineTables, TableMark } from '../tables.ts'
import { type JobHeartbeat, JobOvertakenError } from './heartbeat.ts'
import type { Job, JobStore, JobTask } from './store.ts'

export type TaskEvent =
  | { readonly kind: 'task_started'; readonly task: string }
  /** A task has ended. Also reported for a task that an earlier runner finished. */
  | { readonly kind: 'task_ended'; readonly task: string; readonly rows: number | undefined; readonly error: string }

export interface PartRunnerDeps {
  readonly jobs: JobStore
  readonly log: OperationLog
  readonly tables: PipelineTables
  /** Returns the current Unix time in milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}

/**
 * One part of a job: an input, an operation, or the target (the published table). Tells how to fill the part's table, and what to
 * log.
 */
export interface JobPart {
  readonly kind: OperationLogEntry['kind']
  /** The name of the part. Two parts of the same kind have different names. */
  readonly name: string
  readonly template: string
  readonly inputs: OperationLogEntry['inputs']
  readonly orderBy: readonly string[]
  /** The table name under which the rows are published. If absent, the rows stay in the temporary table that the part filled. */
  readonly publishedAs?: TableName
}

/** Runs each part of a job once. Reuses parts that an earlier runner finished. */
export class PartRunner {
  readonly #deps: PartRunnerDeps
  readonly #job: Job
  readonly #heartbeat: JobHeartbeat
  readonly #earlier: ReadonlyMap<string, OperationLogEntry>
  readonly #observe: (event: TaskEvent) => void
  readonly #results = new Map<string, TableName>()
  /** The names of parts that this runner has run itself, in contrast to parts that an earlier runner finished. */
  readonly #fresh = new Set<string>()

  constructor(
    deps: PartRunnerDeps,
    run: {
      /** The job as this runner found it. Its revision is higher than any that an earlier runner wrote. */
      readonly job: Job
      readonly heartbeat: JobHeartbeat
      readonly earlier: readonly OperationLogEntry[]
      readonly observe: (event: TaskEvent) => void
    },
  ) {
    this.#deps = deps
    this.#job = run.job
    this.#heartbeat = run.heartbeat
    this.#earlier = new Map(run.earlier.map(entry => [entry.operationId, entry]))
    this.#observe = run.observe
  }

  /** Returns the table with the rows of a finished part or an existing input. */
  tableOf(name: string): TableName {
    const table = this.#results.get(name)
    if (table === undefined) throw new PipelineError(`${name} has no table yet`, { kind: 'definition' })
    return table
  }

  /** Records which table an input is. In a replay, the part of the same name then copies the rows of this table. */
  found(name: string, table: TableName): void {
    this.#results.set(name, table)
  }

  /**
   * Logs how many rows and bytes an existing input has now, so that readers of the log later see whether the table has changed.
   */
  async note(name: string, table: TableName, signal: AbortSignal): Promise<void> {
    const { tables, log, now } = this.#deps
    const found = await tables.find(table, signal)
    if (found === undefined) {
      throw new PipelineError(`input ${name}: there is no table ${table.database}.${table.name}`, { kind: 'operation' })
    }
    const size = { ...sizeOf(found), ...(!found.holdsRows && { rows: await tables.count(table, signal) }) }
    const at = new Date(now())
    const common = entryOf(this.#job, { kind: 'input', name, template: '', inputs: [] })
    const entry = { ...common, result: table, sql: '', reads: [], startedAt: at, finishedAt: at, ...size, error: '' }
    await log.write(entry, this.#job.revision, signal)
    this.#results.set(name, table)
  }

  /**
   * Runs one part, or reuses its earlier result.
   * @throws PipelineError `operation` if the part fails; the signal's reason; JobOvertakenError; WarehouseError
   */
  async run(part: JobPart, signal: AbortSignal): Promise<void> {
    const { operationId, taskId } = entryOf(this.#job, part)
    // If this runner has just run one of the part's inputs again, the part's earlier result is out of date.
    const isOld = part.inputs.some(({ role }) => this.#fresh.has(role))
    const done = isOld ? undefined : await this.#earlierResult(part, this.#earlier.get(operationId), signal)
    if (done === undefined) {
      this.#fresh.add(part.name)
      this.#results.set(part.name, await this.#fill(part, signal))
    } else {
      this.#observe({ kind: 'task_ended', task: taskId, rows: done.rows, error: '' })
      this.#results.set(part.name, done.result)
    }
  }

  /**
   * Returns the log entry of an earlier attempt at this part, if the table that it filled still exists. Otherwise returns
   * undefined.
   */
  async #earlierResult(
    part: JobPart,
    entry: OperationLogEntry | undefined,
    signal: AbortSignal,
  ): Promise<OperationLogEntry | undefined> {
    if (entry === undefined || entry.error !== '') return undefined
    const mark = markOf(this.#job, part)
    const there = await this.#deps.tables.find(entry.result, signal)
    return there?.mark?.clew_job === mark.clew_job && there.mark.part === mark.part ? entry : undefined
  }

  /**
   * Fills a new table with the part's rows.
   * @returns that table
   */
  async #fill(part: JobPart, signal: AbortSignal): Promise<TableName> {
    const { now, log, tables } = this.#deps
    const { revision, ...job } = this.#job
    const common = entryOf(job, part)
    const names = new Map([...this.#results].map(([name, table]) => [name, quoteTable(table)]))
    const sql = renderTemplate(part.template, { tables: names, values: job.arguments })
    const startedAt = new Date(now())
    const task = { jobId: job.id, name: common.taskId, startedAt, error: '', rows: undefined, finishedAt: undefined }
    let attempts = 0
    let table = tables.newOwnTable()
    const saveTask = (change: Partial<JobTask> & Pick<JobTask, 'status'>, at: AbortSignal) =>
      this.#deps.jobs.saveTask({ ...task, attempts, ...change }, { runner: revision, at: now() }, at)
    this.#observe({ kind: 'task_started', task: common.taskId })
    // Finds the tables that the SQL reads before it runs. They are logged even if the run fails, because its error may quote
    // their rows.
    const reads = await this.#readsOf(sql, signal)
    try {
      const { made, columnLineage } = await RETRY.execute(async () => {
        attempts += 1
        if (attempts > 1) table = tables.newOwnTable()
        await saveTask({ status: 'RUNNING' }, signal)
        return this.#make(part, sql, table, signal)
      }, signal)
      const finishedAt = new Date(now())
      const logged = {
        ...common,
        result: made.table,
        sql,
        columnLineage,
        reads,
        startedAt,
        finishedAt,
        ...sizeOf(made),
        error: '',
      }
      await log.write(logged, revision, signal)
      await saveTask({ status: 'COMPLETED', rows: made.rows, finishedAt }, signal)
      this.#observe({ kind: 'task_ended', task: common.taskId, rows: made.rows, error: '' })
      return made.table
    } catch (error) {
      if (signal.reason instanceof JobOvertakenError) throw error
      const finishedAt = new Date(now())
      const sentence = signal.aborted ? 'stopped' : errorMessage(error)
      // The failure is logged even if the caller's signal has aborted, so the log has a time limit of its own.
      const noting = AbortSignal.timeout(PIPELINES_LIMITS.noteMs)
      await log.write(
        { ...common, result: table, sql, reads, startedAt, finishedAt, rows: 0, bytes: 0, error: sentence },
        revision,
        noting,
      )
      await saveTask({ status: signal.aborted ? 'CANCELLED' : 'FAILED', error: sentence, finishedAt }, noting)
      this.#observe({ kind: 'task_ended', task: common.taskId, rows: undefined, error: sentence })
      if (signal.aborted) throw error
      throw new PipelineError(`${part.kind} ${part.name}: ${sentence}`, { kind: 'operation', cause: error })
    }
  }

  /**
   * Returns the tables that the SQL reads. Undefined if they are uncertain: then only people without access limits see the part's
   * SQL and errors.
   */
  async #readsOf(sql: string, signal: AbortSignal): Promise<readonly TableName[] | undefined> {
    try {
      return await operationReads(this.#deps.tables, sql, signal)
    } catch (error) {
      this.#deps.logger.debug({ err: error }, 'it is not known what an operation reads')
      return undefined
    }
  }

  /**
   * Traces the columns of a part's table. A failure is only logged, because the job matters more than its lineage. If the
   * operator has marked any columns as private, all columns of an untraced table are then treated as private.
   */
  async #traceColumns(part: JobPart, sql: string, table: TableName, signal: AbortSignal): Promise<ColumnLineage | undefined> {
    try {
      return await this.#deps.tables.traceColumns(table, markOf(this.#job, part), sql, signal)
    } catch (error) {
      this.#deps.logger.debug({ err: error }, 'it is not known which columns feed an operation')
      return undefined
    }
  }

  async #make(
    part: JobPart,
    sql: string,
    table: TableName,
    signal: AbortSignal,
  ): Promise<{ readonly made: MarkedTable; readonly columnLineage: ColumnLineage | undefined }> {
    const { tables, logger } = this.#deps
    const mark = markOf(this.#job, part)
    try {
      const made = await tables.create(mark, { table, sql, orderBy: part.orderBy }, signal)
      const columnLineage = await this.#traceColumns(part, sql, table, signal)
      if (part.publishedAs === undefined) return { made, columnLineage }
      // A runner that was blocked for a while may have lost its job. It must not replace the rows of a later job.
      await this.#heartbeat.confirm(signal)
      return { made: await tables.publish(table, mark, part.publishedAs, signal), columnLineage }
    } catch (error) {
      // The query may still be filling this table, if only the server's answer was lost. A table that cannot be dropped now is
      // dropped at the job's end.
      await tables
        .discard({ table, mark: { ...mark, table: table.name } }, AbortSignal.timeout(PIPELINES_LIMITS.noteMs))
        .catch((fault: unknown) => {
          logger.warn({ table: table.name, error: errorMessage(fault) }, 'a table of a job could not be dropped')
        })
      throw error
    }
  }
}

const RETRY = retry(
  handleWhen(error => error instanceof WarehouseError && error.retryable),
  { maxAttempts: PIPELINES_LIMITS.attempts - 1, backoff: new ExponentialBackoff({ initialDelay: 500, maxDelay: 5_000 }) },
)

function markOf(job: Pick<Job, 'id' | 'name'>, { kind, name }: Pick<JobPart, 'kind' | 'name'>): TableMark {
  return { clew_job: job.id, job_name: job.name, part: `${kind}:${name}` }
}

function entryOf(job: Pick<Job, 'id'>, { kind, name, template, inputs }: Pick<JobPart, 'kind' | 'name' | 'template' | 'inputs'>) {
  const taskId = `${kind}:${name}`
  return { jobId: job.id, taskId, operationId: `${job.id}/${taskId}`, kind, operation: name, inputs, template }
}

function sizeOf({ rows, bytes }: MarkedTable) {
  return { rows, bytes }
}
