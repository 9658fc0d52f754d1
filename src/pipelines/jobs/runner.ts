import { errorMessage } from '../../base/errors.ts'
import { PIPELINES_LIMITS } from '../limits.ts'
import { runAtMost } from '../run-at-most.ts'
import { templatePlaceholders } from '../sql-template.ts'
import { TableKeeper } from '../table-keeper.ts'
import { inputTable, type JobDefinition, operationLayers } from './definition.ts'
import { JobHeartbeat, JobOvertakenError } from './heartbeat.ts'
import { type JobPart, PartRunner, type PartRunnerDeps, type TaskEvent } from './part-runner.ts'
import type { JobRegistry } from './registry.ts'
import type { Job } from './store.ts'

/** A task event, with the job's total number of tasks in `of`. */
export type JobEvent = TaskEvent & { readonly of: number }

export interface JobRunnerDeps extends PartRunnerDeps {
  readonly registry: JobRegistry
}

export interface RunJobOptions {
  readonly observe?: (event: JobEvent) => void
  /** Aborting this signal cancels the job for good, like `JobStore.requestCancellation`. */
  readonly cancel?: AbortSignal
}

/**
 * Runs a job: first its inputs, then its operations layer by layer, then its target. Reuses parts that a killed runner has
 * finished.
 */
export class JobRunner {
  readonly #deps: JobRunnerDeps
  readonly #keeper: TableKeeper

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps
    this.#keeper = new TableKeeper(deps)
  }

  /**
   * Runs a job to its end, and drops the job's tables unless they are to be kept. If the job fails, nothing is thrown, and the
   * returned job contains the error.
   * @param signal stops this runner and leaves the job to another runner
   * @throws WarehouseError if the state cannot be saved; PipelineError `not_found`; JobOvertakenError; the signal's reason
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
    const outcome = await this.#runParts(heartbeat, definition, options, ended).then(
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

  /** Stores the job's final status. Drops its tables, unless its preservation mode keeps them. */
  async finish(job: Job, definition: Pick<JobDefinition, 'ttl_hours'>, signal: AbortSignal): Promise<Job> {
    const { jobs, now } = this.#deps
    const finishedAt = new Date(now())
    const expiresAt = job.preservation === 'FULL' ? new Date(now() + definition.ttl_hours * 3_600_000) : undefined
    const ended = await jobs.save({ ...job, finishedAt, seenAt: finishedAt, expiresAt }, signal)
    await this.#keeper.dropOverOf(job.id, signal)
    return ended
  }

  async #runParts(
    heartbeat: JobHeartbeat,
    definition: JobDefinition,
    options: RunJobOptions,
    signal: AbortSignal,
  ): Promise<void> {
    const { tables, log } = this.#deps
    const { job } = heartbeat
    await this.#keeper.dropUnfinishedOf(job.id, signal)
    const earlier = await log.ofJob(job.id, signal)
    const of = taskCount(job, definition)
    const observe = (event: TaskEvent) => options.observe?.({ ...event, of })
    const parts = new PartRunner(this.#deps, { job, heartbeat, earlier, observe })
    const run = (part: JobPart) => parts.run(part, signal)
    await runAtMost(
      PIPELINES_LIMITS.operationsAtOnce,
      Object.entries(definition.inputs).map(([name, input]) => async () => {
        const isReplay = job.replayOf !== undefined
        const common = { kind: 'input' as const, name }
        if ('source' in input) {
          const published = isReplay ? {} : { publishedAs: tables.named(inputTable(name)) }
          return run({ ...common, template: input.source, inputs: [], orderBy: input.order_by, ...published })
        }
        const table = tables.named(input.table)
        if (!isReplay) return parts.note(name, table, signal)
        const template = `SELECT * FROM {{ ${name} }}`
        parts.found(name, table)
        return run({ ...common, template, inputs: [{ role: name, table }], orderBy: [] })
      }),
    )
    for (const layer of operationLayers(definition)) {
      await runAtMost(
        PIPELINES_LIMITS.operationsAtOnce,
        layer.map(({ name, sql, order_by: orderBy }) => () => {
          const inputs = templatePlaceholders(sql).tables.map(role => ({ role, table: parts.tableOf(role) }))
          return run({ kind: 'operation', name, template: sql, inputs, orderBy })
        }),
      )
    }
    const { operation, table } = definition.target
    const orderBy = definition.operations.find(({ name }) => name === operation)?.order_by ?? []
    return run({
      kind: 'target',
      name: table,
      template: `SELECT * FROM {{ ${operation} }}`,
      inputs: [{ role: operation, table: parts.tableOf(operation) }],
      orderBy,
      ...(job.replayOf === undefined ? { publishedAs: tables.named(table) } : {}),
    })
  }
}

const CANCELLED = { status: 'CANCELLED', error: 'stopped by request' } as const

/** Counts the tasks of a job. A replay has more tasks than its original, because it also copies existing inputs. */
function taskCount({ replayOf }: Job, { inputs, operations }: JobDefinition): number {
  const loaded = Object.values(inputs).filter(input => 'source' in input || replayOf !== undefined)
  return loaded.length + operations.length + 1
}
