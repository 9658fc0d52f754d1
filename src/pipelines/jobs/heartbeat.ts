import { setTimeout as wait } from 'node:timers/promises'
import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { PipelineError } from '../error.ts'
import { PIPELINES_LIMITS } from '../limits.ts'
import type { Job, JobStore } from './store.ts'

/**
 * Thrown in a runner that has given no sign of life for too long, so that another process has taken over or ended its job. The
 * runner must write nothing more for the job.
 */
export class JobOvertakenError extends PipelineError {
  constructor(job: string) {
    super(`Another process has taken over the job ${job}.`, { kind: 'refused' })
  }
}

/** Regularly records that this runner is alive. Notices when somebody cancels the job, or when another process takes it over. */
export class JobHeartbeat {
  readonly #deps: { readonly jobs: JobStore; readonly now: () => number; readonly logger: Logger }
  readonly #cancelled = new AbortController()
  readonly #stopped = new AbortController()
  readonly #cancel: AbortSignal | undefined
  readonly #onCancel = () => this.#cancelled.abort()
  readonly #beating: Promise<void>
  #job: Job
  /** The highest revision that this runner may have written to the store. An attempt to write it may have failed. */
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

  /**
   * This signal aborts when somebody cancels the job. Its reason is a JobOvertakenError if another process has taken the job
   * over.
   */
  get cancelled(): AbortSignal {
    return this.#cancelled.signal
  }

  /**
   * Returns the stored job if another process has changed it since this runner's last write. Otherwise returns undefined.
   * @throws WarehouseError
   */
  async overtakenBy(signal: AbortSignal): Promise<Job | undefined> {
    const stored = await this.#deps.jobs.get(this.#job.id, signal)
    // Two processes may write the same revision at the same time. Only one of the two rows is kept, so the status is compared
    // too.
    return stored.revision > this.#revision || stored.status !== this.#job.status ? stored : undefined
  }

  /**
   * Checks that this runner still owns the job.
   * @throws JobOvertakenError if another process has taken the job over; WarehouseError
   */
  async confirm(signal: AbortSignal): Promise<void> {
    if ((await this.overtakenBy(signal)) === undefined) return
    const error = new JobOvertakenError(this.#job.id)
    this.#cancelled.abort(error)
    throw error
  }

  /**
   * Stops the heartbeat.
   * @returns the job as this runner last wrote it
   */
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
        // This check comes directly before the write, because the write would replace the newer state of another process.
        if ((await this.overtakenBy(signal)) !== undefined) return this.#cancelled.abort(new JobOvertakenError(this.#job.id))
        this.#revision = this.#job.revision + 1
        // This write ignores the caller's signal, because an aborted write might still reach the server after the job has ended.
        this.#job = await jobs.save({ ...this.#job, seenAt: new Date(now()) }, AbortSignal.timeout(PIPELINES_LIMITS.runnerLostMs))
      } catch (error) {
        if (signal.aborted) return
        logger.warn({ job: this.#job.id, error: errorMessage(error) }, 'a job could not be marked as running')
        await wait(PIPELINES_LIMITS.heartbeatMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }
}
