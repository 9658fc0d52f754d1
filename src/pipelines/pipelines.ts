import { createHash } from 'node:crypto'
import { errorMessage } from '../base/errors.ts'
import { thereAre } from '../base/text/there-are.ts'
import { loggedByOthers, noSuchJob, PipelineError } from './error.ts'
import { checkTemplates } from './jobs/check-templates.ts'
import { type JobDefinition, operationLayers, type PreservationMode, parseJobDefinition } from './jobs/definition.ts'
import type { RegisteredJob } from './jobs/registry.ts'
import { JobRunner, type JobRunnerDeps, type RunJobOptions } from './jobs/runner.ts'
import type { Job, JobTask } from './jobs/store.ts'
import { PIPELINES_LIMITS } from './limits.ts'
import type { OperationLogEntry } from './log/operation-log.ts'
import type { JobArguments } from './sql-template.ts'
import type { StateWarehouse } from './state-database.ts'
import { TableKeeper } from './table-keeper.ts'

export interface PipelinesDeps extends JobRunnerDeps {
  readonly warehouse: StateWarehouse
  readonly newJobId: () => string
  /** The default preservation mode. A job's definition, or the call that starts the job, may set another mode. */
  readonly preservation: PreservationMode
}

export interface JobHistory {
  readonly job: Job
  readonly tasks: readonly JobTask[]
  readonly log: readonly OperationLogEntry[]
}

/** Sorts tasks by the order in which they run: first inputs, then operations by dependency, then the target. */
function inOrderOf(definition: JobDefinition, tasks: readonly JobTask[]): readonly JobTask[] {
  const operations = operationLayers(definition).flatMap(layer => layer.map(({ name }) => `operation:${name}`))
  const names = [...Object.keys(definition.inputs).map(name => `input:${name}`), ...operations]
  const place = ({ name }: JobTask) => (names.includes(name) ? names.indexOf(name) : names.length)
  return tasks.toSorted((one, other) => place(one) - place(other))
}

/** The interface of data pipelines: definitions, jobs and their history. Methods throw PipelineError and WarehouseError. */
export class Pipelines {
  readonly #deps: PipelinesDeps
  readonly #runner: JobRunner
  readonly #keeper: TableKeeper

  constructor(deps: PipelinesDeps) {
    this.#deps = deps
    this.#runner = new JobRunner(deps)
    this.#keeper = new TableKeeper(deps)
  }

  /** Registers a definition, after checking that the engine can parse each template and that it reads only allowed tables. */
  async register(yaml: string, signal: AbortSignal): Promise<RegisteredJob & { readonly isNew: boolean }> {
    const definition = parseJobDefinition(yaml)
    await checkTemplates(definition, this.#deps, signal)
    const { isNew } = await this.#deps.registry.register(definition, signal)
    return { ...(await this.#deps.registry.get(definition.name, undefined, signal)), isNew }
  }

  list(signal: AbortSignal): Promise<readonly RegisteredJob[]> {
    return this.#deps.registry.list(signal)
  }

  /** Returns the latest job of the definition with this name. Ignores replays. */
  latest(name: string, signal: AbortSignal): Promise<Job | undefined> {
    return this.#deps.jobs.latest(name, signal)
  }

  /**
   * Creates a job from the latest version of a definition, without running it.
   * @throws PipelineError `not_found`; `arguments`; `refused` while another job of that name runs, because both would write the
   * same tables
   */
  async create(
    name: string,
    options: { readonly arguments?: JobArguments; readonly preservation?: PreservationMode },
    signal: AbortSignal,
  ): Promise<Job> {
    const { version, definition } = await this.#deps.registry.get(name, undefined, signal)
    await this.#refuseBeside(name, undefined, signal)
    const job = await this.#save(
      {
        id: this.#deps.newJobId(),
        name,
        version,
        arguments: withDefaults(definition, options.arguments ?? {}),
        preservation: options.preservation ?? definition.preservation ?? this.#deps.preservation,
        replayOf: undefined,
      },
      signal,
    )
    try {
      // The warehouse has no locks. If two processes create a job at the same moment, this second check refuses at least one.
      await this.#refuseBeside(name, job.id, signal)
    } catch (error) {
      await this.#end({ ...job, status: 'CANCELLED', error: 'another one was started at the same moment' }, signal)
      throw error
    }
    return job
  }

  /** @throws PipelineError `refused` if another job of this name is still running or waiting */
  async #refuseBeside(name: string, own: string | undefined, signal: AbortSignal): Promise<void> {
    const unfinished = await this.#deps.jobs.unfinished(signal)
    const other = unfinished.find(job => job.name === name && job.replayOf === undefined && job.id !== own)
    if (other === undefined) return
    throw new PipelineError(`The job ${name} was not started: its run ${other.id} has not ended yet.`, { kind: 'refused' })
  }

  /**
   * Creates a job that repeats another one. The replay fills new tables, keeps all of them, and publishes nothing.
   * @param askedBy identifies the request; the same request always gets the same job
   */
  async createReplay(jobId: string, reason: string, signal: AbortSignal, askedBy?: string): Promise<Job> {
    const { jobs, newJobId } = this.#deps
    const id = askedBy === undefined ? newJobId() : replayId(jobId, askedBy)
    const [there] = askedBy === undefined ? [] : await jobs.named([id], signal)
    if (there !== undefined) return there
    const { name, version, arguments: values } = await jobs.get(jobId, signal)
    return this.#save({ id, name, version, arguments: values, preservation: 'FULL', replayOf: { jobId, reason } }, signal)
  }

  /** Returns the replays that are still running or waiting to run. */
  async replaysUnderWay(signal: AbortSignal): Promise<readonly Job[]> {
    return (await this.#deps.jobs.unfinished(signal)).filter(({ replayOf }) => replayOf !== undefined)
  }

  /** See `JobRunner.run`. */
  run(jobId: string, options: RunJobOptions, signal: AbortSignal): Promise<Job> {
    return this.#runner.run(jobId, options, signal)
  }

  /**
   * Ends a running job.
   * @param idOrName the job's id; its name is enough if only one job of that name runs
   * @throws PipelineError `not_found`; `refused` if no job of that name runs, or several do
   */
  async cancel(idOrName: string, signal: AbortSignal): Promise<Job> {
    const [byId] = await this.#deps.jobs.named([idOrName], signal)
    const job = byId ?? (await this.#runningOf(idOrName, signal))
    if (job.status === 'PENDING') return this.#end({ ...job, status: 'CANCELLED', error: 'stopped before it began' }, signal)
    if (job.status === 'RUNNING') await this.#deps.jobs.requestCancellation(job.id, new Date(this.#deps.now()), signal)
    return job
  }

  async #runningOf(name: string, signal: AbortSignal): Promise<Job> {
    const { jobs, registry } = this.#deps
    const [only, ...others] = (await jobs.unfinished(signal)).filter(job => job.name === name)
    if (only !== undefined && others.length === 0) return only
    if (only !== undefined) {
      const list = [only, ...others].map(({ id, replayOf }) => (replayOf === undefined ? id : `${id} (a replay)`)).join(', ')
      throw new PipelineError(`Several runs of ${name} have not ended: ${list}. Name one by its id.`, { kind: 'refused' })
    }
    if ((await registry.find(name, undefined, signal)) === undefined) throw noSuchJob(name)
    const latest = await jobs.latest(name, signal)
    const reason = latest === undefined ? 'it has never run' : `its latest run, ${latest.id}, is ${latest.status}`
    throw new PipelineError(`There is no run of ${name} to cancel: ${reason}.`, { kind: 'refused' })
  }

  /** @throws PipelineError `not_found` */
  async history(jobId: string, signal: AbortSignal): Promise<JobHistory> {
    const { jobs, registry, log } = this.#deps
    const [[job], entries] = await Promise.all([jobs.named([jobId], signal), log.ofJob(jobId, signal)])
    if (job === undefined && entries.length > 0) throw loggedByOthers(jobId)
    if (job === undefined) throw noSuchJob(jobId)
    const [definition, tasks] = await Promise.all([registry.find(job.name, job.version, signal), jobs.tasks(jobId, signal)])
    return { job, tasks: definition === undefined ? tasks : inOrderOf(definition.definition, tasks), log: entries }
  }

  /**
   * Cleans up after lost runners: marks their jobs as failed and drops expired tables. Tables of other programs and of unknown
   * jobs are not dropped.
   */
  async sweep(signal: AbortSignal): Promise<{ readonly failed: readonly Job[]; readonly dropped: number }> {
    const { jobs, now, logger } = this.#deps
    const lost = (await jobs.unfinished(signal)).filter(job => now() - job.seenAt.getTime() > PIPELINES_LIMITS.runnerLostMs)
    const failed: Job[] = []
    for (const job of lost) {
      try {
        failed.push(await this.#end({ ...job, status: 'FAILED', error: await this.#lossSentence(job, signal) }, signal))
      } catch (error) {
        // The other jobs are cleaned up even if the cleanup of one job fails.
        signal.throwIfAborted()
        logger.warn({ job: job.id, error: errorMessage(error) }, 'a job whose runner is gone could not be ended')
      }
    }
    return { failed, dropped: await this.#keeper.dropOver(signal) }
  }

  /** Returns the error of a job whose runner is lost. If the runner had already published the target, the error says so. */
  async #lossSentence({ id, name, version, replayOf }: Job, signal: AbortSignal): Promise<string> {
    const { registry, tables } = this.#deps
    const lost = 'the process that ran it is gone'
    if (replayOf !== undefined) return lost
    const { table } = (await registry.get(name, version, signal)).definition.target
    const there = await tables.find(tables.named(table), signal)
    return there?.mark?.clew_job === id ? `${lost}; ${table} had been published by then` : lost
  }

  async #end(job: Job, signal: AbortSignal): Promise<Job> {
    const { definition } = await this.#deps.registry.get(job.name, job.version, signal)
    return this.#runner.finish(job, definition, signal)
  }

  #save(
    job: Pick<Job, 'id' | 'name' | 'version' | 'arguments' | 'preservation' | 'replayOf'>,
    signal: AbortSignal,
  ): Promise<Job> {
    const at = new Date(this.#deps.now())
    const fresh = { error: '', createdAt: at, seenAt: at, startedAt: undefined, finishedAt: undefined, expiresAt: undefined }
    return this.#deps.jobs.save({ ...job, ...fresh, status: 'PENDING', revision: 0 }, signal)
  }
}

function replayId(jobId: string, askedBy: string): string {
  return `job_${createHash('sha256')
    .update(JSON.stringify([askedBy, jobId]))
    .digest('hex')
    .slice(0, 16)}`
}

/**
 * Adds defaults to the given arguments.
 * @throws PipelineError `arguments`
 */
function withDefaults({ arguments: defaults }: JobDefinition, given: JobArguments): JobArguments {
  for (const [name, value] of Object.entries(given)) {
    const known = Object.keys(defaults)
    if (!Object.hasOwn(defaults, name)) {
      const there = known.length === 0 ? 'it takes none' : thereAre(known)
      throw new PipelineError(`There is no argument ${name}: ${there}.`, { kind: 'arguments' })
    }
    const expected = defaults[name]
    if (expected !== null && value !== null && typeof value !== typeof expected) {
      throw new PipelineError(`The argument ${name} must be a ${typeof expected}, like its default.`, { kind: 'arguments' })
    }
  }
  return { ...defaults, ...given }
}
