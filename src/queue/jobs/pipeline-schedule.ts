import { Queue } from 'bullmq'
import { z } from 'zod'
import { doneWithin } from '../../base/done-within.ts'
import { ConfigurationError, errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { repeat } from '../../base/repeat.ts'
import { PipelineError } from '../../pipelines/error.ts'
import type { Pipelines } from '../../pipelines/pipelines.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import { DRAIN_PREFIX } from '../drain-queue.ts'
import { PIPELINE_LIMITS, QUEUE_LIMITS } from '../limits.ts'
import { keepJobSchedulers } from './job-schedulers.ts'
import { createPipelineWorker, type PipelineWork, type PipelineWorker, type PipelineWorkerDeps } from './pipeline-worker.ts'

export const PIPELINE_QUEUE = 'pipelines'

const jobSchema = z.object({
  name: z.string().min(1),
  /** The id of the pipeline's job, once it has started. Another worker can then continue the same job. */
  jobId: z.string().optional(),
})

export interface PipelineScheduleDeps extends Pick<PipelineWorkerDeps, 'alone'> {
  /** A Redis connection that waits for Redis to come back after a failure. */
  readonly redis: RedisClient
  readonly pipelines: Pick<Pipelines, 'list' | 'create' | 'run' | 'sweep'>
  /** The interval between two comparisons of the schedules with the definitions. Only tests set it. */
  readonly keepUpMs?: number
  readonly logger: Logger
}

/** Returns the function that runs a pipeline's job when the job is due. */
export function createScheduledWork({ pipelines, logger }: Pick<PipelineScheduleDeps, 'pipelines' | 'logger'>): PipelineWork {
  return async (job, signal): Promise<void> => {
    const { name, jobId } = jobSchema.parse(job.data)
    try {
      const id = jobId ?? (await pipelines.create(name, {}, signal)).id
      if (jobId === undefined) await job.updateData({ name, jobId: id })
      const { status, error } = await pipelines.run(id, {}, signal)
      logger.info({ job: id, name, status, ...(error === '' ? {} : { error }) }, 'scheduled job ended')
    } catch (error) {
      // The job cannot start, because its previous run is still under way or its pipeline is no longer registered. It is not
      // tried again, because the next scheduled run comes anyway.
      if (signal.aborted || !(error instanceof PipelineError)) throw error
      logger.warn({ name, error: error.message }, 'scheduled job not started')
    }
  }
}

/** Creates the schedule that runs pipelines' jobs when they are due. */
export function createPipelineSchedule({
  redis,
  pipelines,
  keepUpMs = PIPELINE_LIMITS.keepUpMs,
  alone,
  logger,
}: PipelineScheduleDeps): PipelineWorker {
  const queue = new Queue(PIPELINE_QUEUE, { connection: redis, prefix: DRAIN_PREFIX })
  queue.on('error', error => logger.debug({ error: error.message }, 'pipeline queue connection error'))
  const stopping = new AbortController()
  const told = new Set<string>()
  let keeping = Promise.resolve()

  /** Warns the operator of each problem only once. */
  function warnOnce(fields: Readonly<Record<string, string>>, message: string): void {
    const key = JSON.stringify([fields, message])
    if (!told.has(key)) logger.warn(fields, message)
    told.add(key)
  }

  async function keepSchedules(): Promise<void> {
    const scheduled = (await pipelines.list(stopping.signal)).flatMap(({ definition }) =>
      definition.schedule === undefined ? [] : [{ ...definition, schedule: definition.schedule }],
    )
    for (const { name, error } of await keepJobSchedulers(queue, scheduled)) {
      warnOnce({ name, error }, 'a job is not scheduled: register it with another schedule')
    }
  }

  async function sweep(): Promise<void> {
    const { failed, dropped } = await pipelines.sweep(stopping.signal)
    for (const { id, name } of failed) logger.warn({ job: id, name }, 'a job failed: the process that ran it is gone')
    if (dropped > 0) logger.info({ tables: dropped }, 'expired tables of jobs dropped')
  }

  async function keepUpUntilStopped(): Promise<void> {
    await keepSchedules().catch(notRead)
    // The sweep comes after a pause. By then, workers have resumed the jobs that a dead process left, so these are not marked as
    // failed.
    const keepUp = () => sweep().catch(notRead).then(keepSchedules)
    await repeat(keepUp, { everyMs: keepUpMs, onError: notRead }, stopping.signal)
  }

  function notRead(error: unknown): void {
    if (stopping.signal.aborted) return
    const fields = { error: errorMessage(error) }
    // An installation without pipelines has no tables for them, and a read-only user may lack the rights to read them. Both are
    // normal, so they cause no warning.
    const cause = error instanceof ConfigurationError ? error.cause : undefined
    const hasNone = cause instanceof WarehouseError && (cause.kind === 'unknown_name' || cause.kind === 'denied')
    if (hasNone) logger.debug(fields, 'pipeline schedules could not be read')
    else warnOnce(fields, 'pipeline schedules could not be read; no scheduled job runs until then')
  }

  const work = createScheduledWork({ pipelines, logger })
  const { concurrency } = PIPELINE_LIMITS
  const worker = createPipelineWorker({ redis, queue: PIPELINE_QUEUE, concurrency, work, alone, logger })

  return {
    start() {
      worker.start()
      keeping = keepUpUntilStopped()
    },

    async close(graceMs) {
      stopping.abort()
      await worker.close(graceMs)
      await doneWithin(QUEUE_LIMITS.idleCloseMs, keeping)
      await queue.close()
    },
  }
}
