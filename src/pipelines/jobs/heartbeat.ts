import { setTimeout as wait } from 'node:timers/promises'
import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { PipelineError } from '../error.ts'
import { PIPELINES_LIMITS } from '../limits.ts'
import type { Job, JobStore } from './store.ts'

/**
 * Thrown in a runner that seemed lost, if another process has taken over or ended the runner's job. The runner must write nothing more for the job.
 */
export class JobOvertakenError extends PipelineError {
  constructor(job: string) {
    super(`Another process has taken over the job ${job}.`, { kind: 'refused' })
  }
}

/** Reports regularly that a job is running, and notices when the job should end. */
export class JobHeartbeat {
  readonly #deps: { readonly jobs: JobStore; readonly now: () => number; readonly logger: Logger }
  readonly #cancelled = new AbortController()
  readonly #stopped = new AbortController()
  readonly #cancel: AbortSignal | undefined
  readonly #onCancel = () => this.#cancelled.abort()
  readonly #beating: Promise<void>
  #job: Job
  /** The highest revision in the store that this runner itself may have written. */
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

  /** Aborts when somebody cancels the job. If another process took over, the reason is a JobOvertakenError. */
  get cancelled(): AbortSignal {
    return this.#cancelled.signal
  }

  /** Returns the stored job if another process has written it since this runner's latest write. @throws WarehouseError */
  async overtakenBy(signal: AbortSignal): Promise<Job | undefined> {
    const stored = await this.#deps.jobs.get(this.#job.id, signal)
    // If two processes write the same revision at once, only one row stays. So the status is compared too.
    return stored.revision > this.#revision || stored.status !== this.#job.status ? stored : undefined
  }

  /**
   * Checks that this runner still owns the job.
   * @throws JobOvertakenError if another process took over the job; WarehouseError
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
        // The check comes right before the write, since the write would replace a newer state.
        if ((await this.overtakenBy(signal)) !== undefined) return this.#cancelled.abort(new JobOvertakenError(this.#job.id))
        this.#revision = this.#job.revision + 1
        // The caller's signal does not cancel this write: the server might still execute it after the end of the job.
        this.#job = await jobs.save({ ...this.#job, seenAt: new Date(now()) }, AbortSignal.timeout(PIPELINES_LIMITS.runnerLostMs))
      } catch (error) {
        if (signal.aborted) return
        logger.warn({ job: this.#job.id, error: errorMessage(error) }, 'a job could not be marked as running')
        await wait(PIPELINES_LIMITS.heartbeatMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }
}
