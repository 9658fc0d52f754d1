import { WarehouseError } from '../clickhouse/warehouse-error.ts'
import { type JobDefinition, operationLayers, type PreservationMode, parseJobDefinition } from './job-definition.ts'
import { RUNNER_LOST_MS } from './job-heartbeat.ts'
import type { RegisteredJob } from './job-registry.ts'
import { JobRunner, type JobRunnerDeps, type RunJobOptions } from './job-runner.ts'
import type { Job, Task } from './job-store.ts'
import type { OperationLogEntry } from './operation-log.ts'
import { PipelineError } from './pipeline-error.ts'
import { type JobArguments, placeholdersOf, renderTemplate } from './sql-template.ts'
import type { StateWarehouse } from './state-database.ts'

export interface PipelinesDeps extends JobRunnerDeps {
  readonly warehouse: StateWarehouse
  readonly newJobId: () => string
  /** What holds where neither the call nor the definition says. */
  readonly preservation: PreservationMode
}

const MOST_OF_A_COMPLAINT = 300

/** A job with all that is known of it. */
export interface JobHistory {
  readonly job: Job
  readonly tasks: readonly Task[]
  readonly log: readonly OperationLogEntry[]
}

/** Data pipelines as every surface uses them: definitions in, jobs run, their history out. Methods throw PipelineError and WarehouseError. */
export class Pipelines {
  readonly #deps: PipelinesDeps
  readonly #runner: JobRunner

  constructor(deps: PipelinesDeps) {
    this.#deps = deps
    this.#runner = new JobRunner(deps)
  }

  /** Registers a definition, after the engine has parsed each of its templates. */
  async register(yaml: string, signal: AbortSignal): Promise<RegisteredJob & { readonly isNew: boolean }> {
    const definition = parseJobDefinition(yaml)
    await this.#parseTemplates(definition, signal)
    const { isNew } = await this.#deps.registry.register(definition, signal)
    return { ...(await this.#deps.registry.get(definition.name, undefined, signal)), isNew }
  }

  list(signal: AbortSignal): Promise<readonly RegisteredJob[]> {
    return this.#deps.registry.list(signal)
  }

  /** The latest job of a name, replays left out. */
  latest(name: string, signal: AbortSignal): Promise<Job | undefined> {
    return this.#deps.jobs.latest(name, signal)
  }

  /**
   * A new job of the latest version of a definition, still to be run.
   * @throws PipelineError `not_found`; `arguments`; `refused` while another job of that name runs, since both would write the same tables
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
        name,
        version,
        arguments: withDefaults(definition, options.arguments ?? {}),
        preservation: options.preservation ?? definition.preservation ?? this.#deps.preservation,
        replayOf: undefined,
      },
      signal,
    )
    try {
      // Nothing is locked in the warehouse: of two that were made at the same moment each finds the other now, or one does.
      await this.#refuseBeside(name, job.id, signal)
    } catch (error) {
      await this.#end({ ...job, status: 'CANCELLED', error: 'another one was started at the same moment' }, signal)
      throw error
    }
    return job
  }

  /** @throws PipelineError `refused` where another job of the name has not ended */
  async #refuseBeside(name: string, own: string | undefined, signal: AbortSignal): Promise<void> {
    const unfinished = await this.#deps.jobs.unfinished(signal)
    const other = unfinished.find(job => job.name === name && job.replayOf === undefined && job.id !== own)
    if (other === undefined) return
    throw new PipelineError(`The job ${name} is not started: ${other.id} of that name has not ended yet.`, { kind: 'refused' })
  }

  /** A job that repeats another one in tables of its own, all of them kept, and publishes nothing. */
  async createReplay(jobId: string, reason: string, signal: AbortSignal): Promise<Job> {
    const { name, version, arguments: values } = await this.#deps.jobs.get(jobId, signal)
    return this.#save({ name, version, arguments: values, preservation: 'FULL', replayOf: { jobId, reason } }, signal)
  }

  /** See `JobRunner.run`. */
  run(jobId: string, options: RunJobOptions, signal: AbortSignal): Promise<Job> {
    return this.#runner.run(jobId, options, signal)
  }

  async cancel(jobId: string, signal: AbortSignal): Promise<Job> {
    const job = await this.#deps.jobs.get(jobId, signal)
    if (job.status === 'PENDING') return this.#end({ ...job, status: 'CANCELLED', error: 'stopped before it began' }, signal)
    if (job.status === 'RUNNING') await this.#deps.jobs.requestCancellation(jobId, new Date(this.#deps.now()), signal)
    return job
  }

  async history(jobId: string, signal: AbortSignal): Promise<JobHistory> {
    const { jobs, log } = this.#deps
    const job = await jobs.get(jobId, signal)
    const [tasks, entries] = await Promise.all([jobs.tasks(jobId, signal), log.ofJob(jobId, signal)])
    return { job, tasks, log: entries }
  }

  /**
   * Puts in order what runners that are gone left behind: their jobs fail visibly, and tables whose time is over are dropped. Tables that Clew has not made, and those of
   * jobs that it does not know, stay.
   */
  async sweep(signal: AbortSignal): Promise<{ readonly failed: readonly Job[]; readonly dropped: number }> {
    const { jobs, tables, now } = this.#deps
    const lost = (await jobs.unfinished(signal)).filter(job => now() - job.seenAt.getTime() > RUNNER_LOST_MS)
    const failed: Job[] = []
    for (const job of lost) {
      failed.push(await this.#end({ ...job, status: 'FAILED', error: 'the process that ran it is gone' }, signal))
    }
    const own = await tables.own(signal)
    const owners = new Map(
      (await jobs.named([...new Set(own.flatMap(({ mark }) => mark?.clew_job ?? []))], signal)).map(job => [job.id, job]),
    )
    const over = own.filter(({ mark }) => isOver(owners.get(mark?.clew_job ?? ''), now()))
    for (const table of over) await tables.dropOwn(table, signal)
    return { failed, dropped: over.length }
  }

  async #end(job: Job, signal: AbortSignal): Promise<Job> {
    const { definition } = await this.#deps.registry.get(job.name, job.version, signal)
    return this.#runner.finish(job, definition, signal)
  }

  #save(job: Pick<Job, 'name' | 'version' | 'arguments' | 'preservation' | 'replayOf'>, signal: AbortSignal): Promise<Job> {
    const at = new Date(this.#deps.now())
    const fresh = { error: '', createdAt: at, seenAt: at, startedAt: undefined, finishedAt: undefined, expiresAt: undefined }
    return this.#deps.jobs.save({ ...job, ...fresh, id: this.#deps.newJobId(), status: 'PENDING', revision: 0 }, signal)
  }

  /** The engine is the parser: every template must be one SELECT to it. */
  async #parseTemplates(definition: JobDefinition, signal: AbortSignal): Promise<void> {
    const templates = [
      ...Object.entries(definition.inputs).flatMap(([name, input]) =>
        'source' in input ? [{ label: `inputs.${name}`, sql: input.source }] : [],
      ),
      ...operationLayers(definition)
        .flat()
        .map(({ name, sql }) => ({ label: `operation ${name}`, sql })),
    ]
    const mistakes: string[] = []
    for (const { label, sql } of templates) {
      const tables = new Map(placeholdersOf(sql).tables.map(name => [name, 'a_table']))
      const rendered = renderTemplate(sql, { tables, values: definition.arguments })
      const mistake = await this.#parse(rendered, signal)
      if (mistake !== undefined) mistakes.push(`- ${label}: ${mistake}`)
    }
    if (mistakes.length > 0) {
      throw new PipelineError(`The job's definition cannot be taken as it is:\n${mistakes.join('\n')}`, { kind: 'definition' })
    }
  }

  async #parse(sql: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const { rows } = await this.#deps.warehouse.readOwn(
        { sql: 'SELECT formatQuerySingleLine({sql:String})', parameters: { sql }, database: 'system' },
        signal,
      )
      return /^(?:SELECT|WITH|\()/.test(String(rows[0]?.[0])) ? undefined : 'it is not a SELECT'
    } catch (error) {
      if (error instanceof WarehouseError && error.kind === 'syntax') return syntaxSentence(error.message)
      throw error
    }
  }
}

/** Without the list of all that could stand there, and without the statement that the parser was asked by. */
function syntaxSentence(message: string): string {
  const text = message.replace(/[.:,]?\s*(?:Expected one of:|In scope SELECT formatQuery)[\s\S]*$/, '').replace(/[.:\s]+$/, '')
  return `${text.length <= MOST_OF_A_COMPLAINT ? text : `${text.slice(0, MOST_OF_A_COMPLAINT - 1)}…`}.`
}

function isOver(owner: Job | undefined, now: number): boolean {
  if (owner === undefined || owner.finishedAt === undefined) return false
  return owner.expiresAt === undefined || owner.expiresAt.getTime() <= now
}

/** @throws PipelineError `arguments` */
function withDefaults({ arguments: defaults }: JobDefinition, given: JobArguments): JobArguments {
  for (const [name, value] of Object.entries(given)) {
    const known = Object.keys(defaults)
    if (!Object.hasOwn(defaults, name)) {
      const there = known.length === 0 ? 'it takes none' : `there are ${known.join(', ')}`
      throw new PipelineError(`There is no argument ${name}: ${there}.`, { kind: 'arguments' })
    }
    const expected = defaults[name]
    if (expected !== null && value !== null && typeof value !== typeof expected) {
      throw new PipelineError(`The argument ${name} must be a ${typeof expected}, as its default is.`, { kind: 'arguments' })
    }
  }
  return { ...defaults, ...given }
}
