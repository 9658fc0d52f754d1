import { DelayedError, type Job, UnrecoverableError, WaitingError } from 'bullmq'
import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { jobError } from '../alone/job-error.ts'
import type { LoneProcesses } from '../alone/processes.ts'
import { closeWorker } from '../close-worker.ts'
import { PIPELINE_LIMITS, QUEUE_LIMITS } from '../limits.ts'
import { openWorker } from '../open-worker.ts'

/** Runs jobs that may take hours. If a worker stops, another worker can continue its jobs. */
export interface PipelineWorker {
  start(): void
  /** Takes no new jobs and gives running jobs `graceMs` to finish. Another worker continues the unfinished jobs. */
  close(graceMs: number): Promise<void>
}

/**
 * Does a job and returns its result. If this function throws or the worker dies, the job runs again. If the signal aborts,
 * another worker continues the job.
 */
export type PipelineWork = (job: Job, signal: AbortSignal) => Promise<unknown>

export interface PipelineWorkerDeps {
  /** A Redis connection that waits for Redis to come back after a failure. */
  readonly redis: RedisClient
  readonly queue: string
  readonly concurrency: number
  readonly work: PipelineWork
  /** Runs a job in a process of its own if the job may have killed its worker. */
  readonly alone?: Pick<LoneProcesses, 'run'> | undefined
  readonly logger: Logger
}

export function createPipelineWorker({ redis, queue, concurrency, work, alone, logger }: PipelineWorkerDeps): PipelineWorker {
  const running = new AbortController()
  let inHand = 0

  async function process(job: Job, token: string | undefined): Promise<unknown> {
    inHand += 1
    try {
      if (alone === undefined || job.stalledCounter < QUEUE_LIMITS.startsTogether) return await work(job, running.signal)
      return await workIn(alone, job, token)
    } catch (error) {
      if (!running.signal.aborted) throw error
      await job.moveToWait(token)
      throw new WaitingError()
    } finally {
      inHand -= 1
    }
  }

  async function workIn(processes: Pick<LoneProcesses, 'run'>, job: Job, token: string | undefined): Promise<unknown> {
    const outcome = await processes.run({ kind: 'job', queue, id: job.id ?? '' }, running.signal)
    if (outcome.kind === 'done') return outcome.value
    if (outcome.kind === 'failed') throw jobError(outcome)
    if (outcome.kind === 'crashed') throw new UnrecoverableError('the process that ran it, and nothing else, ended over it')
    await job.moveToDelayed(Date.now() + outcome.waitMs, token)
    throw new DelayedError()
  }

  const worker = openWorker(queue, process, { redis, concurrency, logger })
  worker.on('failed', (job, error) => {
    logger.warn({ queue, job: job?.id, attempt: job?.attemptsMade, error: error.message }, 'pipeline job failed')
  })

  return {
    start() {
      worker.run().catch((error: unknown) => logger.error({ queue, error: errorMessage(error) }, 'pipeline worker ended'))
    },

    async close(graceMs) {
      await closeWorker({
        closed: worker.close(),
        inHand: () => inHand,
        graceMs,
        callOff: () => running.abort(new Error('the worker is stopping')),
        handBackMs: PIPELINE_LIMITS.handBackMs,
      })
    },
  }
}
