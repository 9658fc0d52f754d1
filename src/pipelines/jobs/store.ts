import { z } from 'zod'
import { noSuchJob } from '../error.ts'
import { PIPELINES_LIMITS } from '../limits.ts'
import { queryInParts } from '../query-in-parts.ts'
import type { JobArguments } from '../sql-template.ts'
import { fencedRevision, type StateDatabase, timeSchema, timeText } from '../state-database.ts'
import { PRESERVATION_MODES, type PreservationMode } from './definition.ts'

export const JOB_STATUSES = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

export interface Job {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly status: JobStatus
  readonly arguments: JobArguments
  readonly preservation: PreservationMode
  /** Present only for a replay: the id of the job that it repeats, and the reason for the replay. */
  readonly replayOf: { readonly jobId: string; readonly reason: string } | undefined
  readonly error: string
  readonly createdAt: Date
  readonly startedAt: Date | undefined
  readonly finishedAt: Date | undefined
  /** The time of the runner's last heartbeat. */
  readonly seenAt: Date
  /** The time at which the job's tables are dropped. If undefined, they are dropped at the end of the job. */
  readonly expiresAt: Date | undefined
  readonly revision: number
}

export type TaskStatus = Exclude<JobStatus, 'PENDING'>

export interface JobTask {
  readonly jobId: string
  /** The part that this task runs: `input:<name>`, `operation:<name>` or `target:<table>`. */
  readonly name: string
  readonly status: TaskStatus
  readonly attempts: number
  readonly error: string
  readonly rows: number | undefined
  readonly startedAt: Date
  readonly finishedAt: Date | undefined
}

const optionalTimeSchema = z.union([timeSchema, z.null().transform(() => undefined)])
const countSchema = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(Number)
const argumentsSchema = z
  .string()
  .transform(text => z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).parse(JSON.parse(text)))
const jobRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.number(),
  status: z.enum(JOB_STATUSES),
  arguments: argumentsSchema,
  preservation: z.enum(PRESERVATION_MODES),
  replay_of: z.string(),
  reason: z.string(),
  error: z.string(),
  created_at: timeSchema,
  started_at: optionalTimeSchema,
  finished_at: optionalTimeSchema,
  seen_at: timeSchema,
  expires_at: optionalTimeSchema,
  revision: countSchema,
})
const jobSchema = jobRowSchema.transform(
  ({ replay_of: jobId, reason, created_at, started_at, finished_at, seen_at, expires_at, ...same }): Job => ({
    ...same,
    replayOf: jobId === '' ? undefined : { jobId, reason },
    createdAt: created_at,
    startedAt: started_at,
    finishedAt: finished_at,
    seenAt: seen_at,
    expiresAt: expires_at,
  }),
)
const taskRowSchema = z.object({
  job_id: z.string(),
  name: z.string(),
  status: z.enum(['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED']),
  attempts: z.number(),
  error: z.string(),
  rows: z.union([countSchema, z.null().transform(() => undefined)]),
  started_at: timeSchema,
  finished_at: optionalTimeSchema,
})
const taskSchema = taskRowSchema.transform(
  ({ job_id: jobId, started_at, finished_at, ...same }): JobTask => ({
    ...same,
    jobId,
    startedAt: started_at,
    finishedAt: finished_at,
  }),
)

const columnsOf = (row: { readonly shape: object }) => Object.keys(row.shape).join(', ')

/** Stores the current state of jobs and their tasks. Only one process at a time writes a job. Methods throw WarehouseError. */
export class JobStore {
  readonly #state: StateDatabase

  constructor(state: StateDatabase) {
    this.#state = state
  }

  /**
   * Saves a job.
   * @returns the job with its new revision
   */
  async save(job: Job, signal: AbortSignal): Promise<Job> {
    const next = { ...job, revision: job.revision + 1 }
    await this.#state.insert('jobs', [jobRow(next)], signal)
    return next
  }

  /** @throws PipelineError `not_found` */
  async get(id: string, signal: AbortSignal): Promise<Job> {
    const [job] = await this.#select('WHERE id = {id:String}', { id }, signal)
    if (job !== undefined) return job
    throw noSuchJob(id)
  }

  /** Returns the latest job of the definition with this name. Ignores replays. */
  async latest(name: string, signal: AbortSignal): Promise<Job | undefined> {
    const where = "WHERE name = {name:String} AND replay_of = '' ORDER BY created_at DESC, id LIMIT 1"
    return (await this.#select(where, { name }, signal))[0]
  }

  /** Returns the latest jobs of one definition with its replays, or the latest job of each definition. The newest is first. */
  list(name: string | undefined, signal: AbortSignal): Promise<readonly Job[]> {
    const order = 'ORDER BY created_at DESC, id'
    if (name === undefined)
      return this.#select(`WHERE replay_of = '' ${order} LIMIT 1 BY name LIMIT ${PIPELINES_LIMITS.listedRuns}`, {}, signal)
    return this.#select(`WHERE name = {name:String} ${order} LIMIT ${PIPELINES_LIMITS.listedRuns}`, { name }, signal)
  }

  /** Returns the jobs that have not ended. */
  unfinished(signal: AbortSignal): Promise<readonly Job[]> {
    return this.#select("WHERE status IN ('PENDING', 'RUNNING') ORDER BY created_at, id", {}, signal)
  }

  /** Returns the jobs with these ids. Ignores unknown ids. */
  named(ids: readonly string[], signal: AbortSignal): Promise<readonly Job[]> {
    return queryInParts(ids, part => this.#select('WHERE id IN {ids:Array(String)}', { ids: part }, signal))
  }

  /**
   * @param by the process that runs the job: `runner` is the job's revision when that process began, `at` is Unix time in
   * milliseconds
   */
  async saveTask(task: JobTask, by: { readonly runner: number; readonly at: number }, signal: AbortSignal): Promise<void> {
    const { jobId, startedAt, finishedAt, rows, ...same } = task
    const times = { started_at: timeText(startedAt), finished_at: finishedAt === undefined ? null : timeText(finishedAt) }
    // A task may start and end in the same millisecond. The end gets the higher revision, because it must replace the start.
    const revision = fencedRevision(by.runner, by.at, task.status === 'RUNNING' ? 0 : 1)
    await this.#state.insert('tasks', [{ ...same, job_id: jobId, rows: rows ?? null, ...times, revision }], signal)
  }

  tasks(jobId: string, signal: AbortSignal): Promise<readonly JobTask[]> {
    const sql = `SELECT ${columnsOf(taskRowSchema)} FROM tasks FINAL WHERE job_id = {job:String} ORDER BY started_at, name`
    return this.#state.select(taskSchema, sql, { job: jobId }, signal)
  }

  /** Stores a request to cancel a job. The job's runner sees the request at its next heartbeat. */
  async requestCancellation(jobId: string, at: Date, signal: AbortSignal): Promise<void> {
    await this.#state.insert('job_cancellations', [{ job_id: jobId, requested_at: timeText(at) }], signal)
  }

  async isCancellationRequested(jobId: string, signal: AbortSignal): Promise<boolean> {
    const sql = 'SELECT count() AS requests FROM job_cancellations WHERE job_id = {job:String}'
    const [row] = await this.#state.select(z.object({ requests: countSchema }), sql, { job: jobId }, signal)
    return (row?.requests ?? 0) > 0
  }

  #select(where: string, parameters: Readonly<Record<string, string | readonly string[]>>, signal: AbortSignal) {
    return this.#state.select(jobSchema, `SELECT ${columnsOf(jobRowSchema)} FROM jobs FINAL ${where}`, parameters, signal)
  }
}

function jobRow(job: Job): Readonly<Record<string, unknown>> {
  const optional = (time: Date | undefined) => (time === undefined ? null : timeText(time))
  return {
    id: job.id,
    name: job.name,
    version: job.version,
    status: job.status,
    arguments: JSON.stringify(job.arguments),
    preservation: job.preservation,
    replay_of: job.replayOf?.jobId ?? '',
    reason: job.replayOf?.reason ?? '',
    error: job.error,
    created_at: timeText(job.createdAt),
    started_at: optional(job.startedAt),
    finished_at: optional(job.finishedAt),
    seen_at: timeText(job.seenAt),
    expires_at: optional(job.expiresAt),
    revision: job.revision,
  }
}
