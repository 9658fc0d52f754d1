import { ExponentialBackoff, handleWhen, retry } from 'cockatiel'
import { quoteTable } from '../clickhouse/catalog/quote-identifier.ts'
import { WarehouseError } from '../clickhouse/warehouse-error.ts'
import { errorMessage } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { inputTable, type JobDefinition, operationLayers } from './job-definition.ts'
import { JobHeartbeat, JobOvertakenError } from './job-heartbeat.ts'
import type { JobRegistry } from './job-registry.ts'
import type { Job, JobStore, Task } from './job-store.ts'
import type { OperationLog, OperationLogEntry, TableName } from './operation-log.ts'
import { PipelineError } from './pipeline-error.ts'
import type { MarkedTable, PipelineTables, TableMark } from './pipeline-tables.ts'
import { placeholdersOf, renderTemplate } from './sql-template.ts'

/** How far a job is. */
export type JobEvent =
  | { readonly kind: 'task_started'; readonly task: string }
  | { readonly kind: 'task_ended'; readonly task: string; readonly rows: number | undefined; readonly error: string }

export interface JobRunnerDeps {
  readonly registry: JobRegistry
  readonly jobs: JobStore
  readonly log: OperationLog
  readonly tables: PipelineTables
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}

export interface RunJobOptions {
  readonly observe?: (event: JobEvent) => void
  /** Ends the job for good, as a request by `JobStore.requestCancellation` does. */
  readonly cancel?: AbortSignal
}

/** Tries of an operation whose server was away or full. */
const ATTEMPTS = 3
/** Operations of one job side by side: an embedded engine has few places for writers, and Clew's own state needs one. */
const SIDE_BY_SIDE = 3

/** One part of a job: what is logged of it, and how its rows come about. */
interface Part {
  readonly kind: OperationLogEntry['kind']
  /** Within its kind. */
  readonly name: string
  readonly template: string
  readonly inputs: OperationLogEntry['inputs']
  readonly orderBy: readonly string[]
  /** Where its rows are published; its own table keeps them where absent. */
  readonly publishedAs?: TableName
}

/** Runs jobs: inputs, operations layer by layer, and at last the target. What a runner that was killed has finished is not done again. */
export class JobRunner {
  readonly #deps: JobRunnerDeps

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps
  }

  /**
   * Runs a job to its end, and drops its tables where they are not to be kept. A failure of the job is no exception: it stands in what is returned.
   * @param signal stops the runner and leaves the job as it is, for another one to go on with
   * @throws WarehouseError when the state cannot be kept; PipelineError `not_found`; JobOvertakenError; the signal's reason
   */
  async run(id: string, options: RunJobOptions, signal: AbortSignal): Promise<Job> {
    const { jobs, registry, now, logger } = this.#deps
    const found = await jobs.get(id, signal)
    if (found.status !== 'PENDING' && found.status !== 'RUNNING') return found
    const { definition } = await registry.get(found.name, found.version, signal)
    const started = {
      ...found,
      status: 'RUNNING' as const,
      startedAt: found.startedAt ?? new Date(now()),
      seenAt: new Date(now()),
    }
    const heartbeat = new JobHeartbeat({ jobs, now, logger }, await jobs.save(started, signal), options.cancel)
    const ended = AbortSignal.any([signal, heartbeat.cancelled])
    const outcome = await this.#runParts(heartbeat.job, definition, options, ended).then(
      () => ({ status: 'COMPLETED' as const, error: '' }),
      (error: unknown) => (heartbeat.cancelled.aborted ? CANCELLED : { status: 'FAILED' as const, error: errorMessage(error) }),
    )
    const job = await heartbeat.stop()
    signal.throwIfAborted()
    const stored = await heartbeat.overtakenBy(signal)
    if (stored === undefined) return this.finish({ ...job, ...outcome }, definition, signal)
    if (stored.status === 'RUNNING') throw new JobOvertakenError(id)
    return stored
  }

  /** Ends a job as it says, and drops its tables where they are not to be kept. */
  async finish(job: Job, definition: Pick<JobDefinition, 'ttl_hours'>, signal: AbortSignal): Promise<Job> {
    const { jobs, tables, now } = this.#deps
    const finishedAt = new Date(now())
    const expiresAt = job.preservation === 'FULL' ? new Date(now() + definition.ttl_hours * 3_600_000) : undefined
    const ended = await jobs.save({ ...job, finishedAt, seenAt: finishedAt, expiresAt }, signal)
    if (expiresAt === undefined) {
      for (const table of await tables.own(signal)) {
        if (table.mark?.clew_job === job.id) await tables.dropOwn(table, signal)
      }
    }
    return ended
  }

  async #runParts(job: Job, definition: JobDefinition, options: RunJobOptions, signal: AbortSignal): Promise<void> {
    const { tables } = this.#deps
    const earlier = new Map((await this.#deps.log.ofJob(job.id, signal)).map(entry => [entry.operationId, entry]))
    const results = new Map<string, TableName>()
    const run = async (part: Part) => {
      results.set(part.name, await this.#runPart(job, part, results, earlier, options, signal))
    }
    await inTurns(
      Object.entries(definition.inputs).map(([name, input]) => async () => {
        const isReplay = job.replayOf !== undefined
        const common = { kind: 'input' as const, name }
        if ('source' in input) {
          const published = isReplay ? {} : { publishedAs: tables.named(inputTable(name)) }
          return run({ ...common, template: input.source, inputs: [], orderBy: input.order_by, ...published })
        }
        const table = tables.named(input.table)
        if (!isReplay) return void results.set(name, await this.#noteTable(job, name, table, signal))
        const template = `SELECT * FROM {{ ${name} }}`
        results.set(name, table)
        return run({ ...common, template, inputs: [{ role: name, table }], orderBy: [] })
      }),
    )
    for (const layer of operationLayers(definition)) {
      await inTurns(
        layer.map(({ name, sql, order_by: orderBy }) => () => {
          const inputs = placeholdersOf(sql).tables.map(role => ({ role, table: tableOf(results, role) }))
          return run({ kind: 'operation', name, template: sql, inputs, orderBy })
        }),
      )
    }
    const { operation, table } = definition.target
    const orderBy = definition.operations.find(({ name }) => name === operation)?.order_by ?? []
    await run({
      kind: 'target',
      name: table,
      template: `SELECT * FROM {{ ${operation} }}`,
      inputs: [{ role: operation, table: tableOf(results, operation) }],
      orderBy,
      ...(job.replayOf === undefined ? { publishedAs: tables.named(table) } : {}),
    })
  }

  /** An input that somebody else fills is logged as it is found, so that a later look at it can be compared. */
  async #noteTable(job: Job, name: string, table: TableName, signal: AbortSignal): Promise<TableName> {
    const { tables, log, now } = this.#deps
    const found = await tables.find(table, signal)
    if (found === undefined) {
      throw new PipelineError(`input ${name}: there is no table ${table.database}.${table.name}`, { kind: 'operation' })
    }
    const at = new Date(now())
    const part = { kind: 'input', name, template: '', inputs: [] } as const
    await log.write(
      { ...entryOf(job, part), result: table, sql: '', startedAt: at, finishedAt: at, ...sizeOf(found), error: '' },
      signal,
    )
    return table
  }

  /** @returns the table with the part's rows */
  async #runPart(
    job: Job,
    part: Part,
    results: ReadonlyMap<string, TableName>,
    earlier: ReadonlyMap<string, OperationLogEntry>,
    { observe }: RunJobOptions,
    signal: AbortSignal,
  ): Promise<TableName> {
    const { now, log } = this.#deps
    const common = entryOf(job, part)
    const done = await this.#earlierResult(job, part, earlier.get(common.operationId), signal)
    if (done !== undefined) return done

    const names = new Map([...results].map(([name, table]) => [name, quoteTable(table)]))
    const sql = renderTemplate(part.template, { tables: names, values: job.arguments })
    const startedAt = new Date(now())
    const task = { jobId: job.id, name: common.taskId, startedAt, error: '', rows: undefined, finishedAt: undefined }
    let attempts = 0
    const saveTask = (change: Partial<Task> & Pick<Task, 'status'>, at: AbortSignal) =>
      this.#deps.jobs.saveTask({ ...task, attempts, ...change }, now() * 10 + (change.status === 'RUNNING' ? 0 : 1), at)
    observe?.({ kind: 'task_started', task: common.taskId })
    try {
      const made = await RETRY.execute(async () => {
        attempts += 1
        await saveTask({ status: 'RUNNING' }, signal)
        return this.#make(job, part, sql, `${common.taskId}-${attempts}`, signal)
      }, signal)
      const finishedAt = new Date(now())
      await log.write({ ...common, result: made.table, sql, startedAt, finishedAt, ...sizeOf(made), error: '' }, signal)
      await saveTask({ status: 'COMPLETED', rows: made.rows, finishedAt }, signal)
      observe?.({ kind: 'task_ended', task: common.taskId, rows: made.rows, error: '' })
      return made.table
    } catch (error) {
      if (signal.reason instanceof JobOvertakenError) throw error
      const finishedAt = new Date(now())
      const sentence = signal.aborted ? 'stopped' : errorMessage(error)
      // The signal may be aborted already, and this must be noted all the same.
      const noting = AbortSignal.timeout(NOTE_MS)
      const result = this.#deps.tables.ownTable(markOf(job, part))
      await log.write({ ...common, result, sql, startedAt, finishedAt, rows: 0, bytes: 0, error: sentence }, noting)
      await saveTask({ status: signal.aborted ? 'CANCELLED' : 'FAILED', error: sentence, finishedAt }, noting)
      observe?.({ kind: 'task_ended', task: common.taskId, rows: undefined, error: sentence })
      if (signal.aborted) throw error
      throw new PipelineError(`${part.kind} ${part.name}: ${sentence}`, { kind: 'operation', cause: error })
    }
  }

  async #make(job: Job, part: Part, sql: string, queryId: string, signal: AbortSignal): Promise<MarkedTable> {
    const { tables } = this.#deps
    const mark = markOf(job, part)
    const made = await tables.create(mark, { sql, orderBy: part.orderBy, queryId: `${job.id}-${queryId}` }, signal)
    return part.publishedAs === undefined ? made : tables.publish(mark, part.publishedAs, signal)
  }

  /** What a part that was finished before left, if it is still there and still that part's. */
  async #earlierResult(
    job: Job,
    part: Part,
    entry: OperationLogEntry | undefined,
    signal: AbortSignal,
  ): Promise<TableName | undefined> {
    if (entry === undefined || entry.error !== '') return undefined
    const mark = markOf(job, part)
    const there = await this.#deps.tables.find(entry.result, signal)
    return there?.mark?.clew_job === mark.clew_job && there.mark.part === mark.part ? entry.result : undefined
  }
}

const CANCELLED = { status: 'CANCELLED', error: 'stopped by request' } as const
const NOTE_MS = 10_000

const RETRY = retry(
  handleWhen(error => error instanceof WarehouseError && error.retryable),
  { maxAttempts: ATTEMPTS - 1, backoff: new ExponentialBackoff({ initialDelay: 500, maxDelay: 5_000 }) },
)

/** Runs some side by side, and the others as places get free; the first failure is thrown once all that had begun have ended. */
async function inTurns(work: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...work]
  let isFailed = false
  const run = async () => {
    for (let next = waiting.shift(); next !== undefined && !isFailed; next = waiting.shift()) {
      await next().catch((error: unknown) => {
        isFailed = true
        throw error
      })
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: SIDE_BY_SIDE }, run))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

function tableOf(results: ReadonlyMap<string, TableName>, name: string): TableName {
  const table = results.get(name)
  if (table === undefined) throw new PipelineError(`${name} has no table yet`, { kind: 'definition' })
  return table
}

function markOf(job: Job, { kind, name }: Pick<Part, 'kind' | 'name'>): TableMark {
  return { clew_job: job.id, job_name: job.name, part: `${kind}:${name}` }
}

function entryOf(job: Job, { kind, name, template, inputs }: Pick<Part, 'kind' | 'name' | 'template' | 'inputs'>) {
  const taskId = `${kind}:${name}`
  return { jobId: job.id, taskId, operationId: `${job.id}/${taskId}`, kind, operation: name, inputs, template }
}

function sizeOf({ rows, bytes }: MarkedTable) {
  return { rows, bytes }
}
