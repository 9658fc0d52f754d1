import { setTimeout as wait } from 'node:timers/promises'
import { errorMessage } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Job, JobStore } from './job-store.ts'
import { PipelineError } from './pipeline-error.ts'

/** How often a runner says that it is alive, and looks whether somebody wants its job ended. */
export const HEARTBEAT_MS = 2_000
/** A runner that said nothing for so long is gone. */
export const RUNNER_LOST_MS = 30_000

/** Another process runs or has ended the job, having taken this one for gone: nothing more may be written for it from here. */
export class JobOvertakenError extends PipelineError {
  constructor(job: string) {
    super(`Another process has taken over the job ${job}.`, { kind: 'refused' })
  }
}

/** Keeps a job marked as running, and hears when it is to be ended. */
export class JobHeartbeat {
  readonly #deps: { readonly jobs: JobStore; readonly now: () => number; readonly logger: Logger }
  readonly #cancelled = new AbortController()
  readonly #stopped = new AbortController()
  readonly #cancel: AbortSignal | undefined
  readonly #onCancel = () => this.#cancelled.abort()
  readonly #beating: Promise<void>
  #job: Job
  /** The latest that may have been written from here. */
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

  /** Aborted when the job is to be ended for good, or by a JobOvertakenError. */
  get cancelled(): AbortSignal {
    return this.#cancelled.signal
  }

  /** The job as it stands, if somebody else has written it since. @throws WarehouseError */
  async overtakenBy(signal: AbortSignal): Promise<Job | undefined> {
    const stored = await this.#deps.jobs.get(this.#job.id, signal)
    // Two that write at the same moment write the same revision, of which one stays.
    return stored.revision > this.#revision || stored.status !== this.#job.status ? stored : undefined
  }

  /** @throws JobOvertakenError where the job is in other hands, which ends this runner's work; WarehouseError */
  async confirm(signal: AbortSignal): Promise<void> {
    if ((await this.overtakenBy(signal)) === undefined) return
    const error = new JobOvertakenError(this.#job.id)
    this.#cancelled.abort(error)
    throw error
  }

  /** @returns the job as it was written last */
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
        await wait(HEARTBEAT_MS, undefined, { signal })
        // Right before it is written: what was written meanwhile would be overwritten.
        if ((await this.overtakenBy(signal)) !== undefined) return this.#cancelled.abort(new JobOvertakenError(this.#job.id))
        this.#revision = this.#job.revision + 1
        // Not broken off: the server might write it all the same, after the end of the job.
        this.#job = await jobs.save({ ...this.#job, seenAt: new Date(now()) }, AbortSignal.timeout(RUNNER_LOST_MS))
      } catch (error) {
        if (signal.aborted) return
        logger.warn({ job: this.#job.id, error: errorMessage(error) }, 'a job could not be marked as running')
        await wait(HEARTBEAT_MS, undefined, { signal }).catch(() => undefined)
      }
    }
  }
}
