import { setTimeout as wait } from 'node:timers/promises'
import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { PipelineError } from '../error.ts'
import { PIPELINES_LIMITS } from '../limits.ts'
import type { Job, JobStore } from './store.ts'

/** Another process took over or ended the job, since this one seemed lost. It must write nothing more for the job. */
export class JobOvertakenError extends PipelineError {
  constructor(job: string) {
    super(`Another process has taken over the job ${job}.`, { kind: 'refused' })
  }
}

/** Marks a job as running, and notices when it should end. */
export class JobHeartbeat {
  readonly #deps: { readonly jobs: JobStore; readonly now: () => number; readonly logger: Logger }
  readonly #cancelled = new AbortController()
  readonly #stopped = new AbortController()
  readonly #cancel: AbortSignal | undefined
  readonly #onCancel = () => this.#cancelled.abort()
  readonly #beating: Promise<void>
  #job: Job
  /** The highest revision that this runner may have written. */
  #revision: number

  constructor(
    deps: { readonly jobs: JobStore; readonly now: () => number; readonly logger: Logger },
    job: Job,
    cancel: AbortSignal | undefined,
  ) {
    this.#deps = deps
    this.#job = job
    this.#revision = job.revision
    this.#cancel = cancel
    if (cancel?.aborted === true) this.#cancelled.abort()
    cancel?.addEventListener('abort', this.#onCancel, { once: true })
    this.#beating = this.#beat(this.#stopped.signal)
  }

  get job(): Job {
    return this.#job
  }

  /** Aborted when the job should end, or with a JobOvertakenError. */
  get cancelled(): AbortSignal {
    return this.#cancelled.signal
  }

  /** Returns the job if someone else has written it since. @throws WarehouseError */
  async overtakenBy(signal: AbortSignal): Promise<Job | undefined> {
    const stored = await this.#deps.jobs.get(this.#job.id, signal)
    // Two concurrent writers use the same revision, and only one row stays.
    return stored.revision > this.#revision || stored.status !== this.#job.status ? stored : undefined
  }

  /** @throws JobOvertakenError if the job was taken over, which ends this runner; WarehouseError */
  async confirm(signal: AbortSignal): Promise<void> {
    if ((await this.overtakenBy(signal)) === undefined) return
    const error = new JobOvertakenError(this.#job.id)
    this.#cancelled.abort(error)
    throw error
  }

  /** @returns the job as last written */
  async stop(): Promise<Job> {
    this.#cancel?.removeEventListener('abort', this.#onCancel)
    this.#stopped.abort()
    await this.#beating
    return this.#job
  }

  async #beat(signal: AbortSignal): Promise<void> {
    const { jobs, now, logger } = this.#deps
    while (!signal.aborted) {
      try {
        if (await jobs.isCancellationRequested(this.#job.id, signal)) this.#cancelled.abort()
        await wait(PIPELINES_LIMITS.heartbeatMs, undefined, { signal })
        // Check right before writing, since a write would replace newer state.
        if ((await this.overtakenBy(signal)) !== undefined) return this.#cancelled.abort(new JobOvertakenError(this.#job.id))
        this.#revision = this.#job.revision + 1
        // Not cancelled: the server might still write it after the job's end.
        this.#job = await jobs.save({ ...this.#job, seenAt: new Date(now()) }, AbortSignal.timeout(PIPELINES_LIMITS.runnerLostMs))
      } catch (error) {
        if (signal.aborted) return
        logger.warn({ job: this.#job.id, error: errorMessage(error) }, 'a job could not be marked as running')
        await wait(PIPELINES_LIMITS.heartbeatMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }
}
