import { setTimeout as wait } from 'node:timers/promises'
import { type Job, Queue, WaitingError, Worker } from 'bullmq'
import { z } from 'zod'
import { errorMessage } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { PipelineError } from '../pipelines/pipeline-error.ts'
import type { Pipelines } from '../pipelines/pipelines.ts'
import type { RedisClient } from '../store/redis-client.ts'
import { DRAIN_PREFIX } from './drain-queue.ts'
import { PIPELINE_LIMITS, QUEUE_LIMITS } from './limits.ts'
import { within } from './within.ts'

const PIPELINE_QUEUE = 'pipelines'

const jobSchema = z.object({
  name: z.string().min(1),
  /** Once it has begun: whoever goes on with it goes on with this one. */
  jobId: z.string().optional(),
})

/** Runs jobs of pipelines when their schedules say so. */
export interface PipelineSchedule {
  start(): void
  /** Takes nothing new and gives jobs that run `graceMs`; another worker goes on with what has not ended then. */
  close(graceMs: number): Promise<void>
}

export interface PipelineScheduleDeps {
  /** In the role of a worker. */
  readonly redis: RedisClient
  readonly pipelines: Pick<Pipelines, 'list' | 'create' | 'run' | 'sweep'>
  readonly logger: Logger
}

export function createPipelineSchedule({ redis, pipelines, logger }: PipelineScheduleDeps): PipelineSchedule {
  const connection = { connection: redis, prefix: DRAIN_PREFIX }
  const queue = new Queue(PIPELINE_QUEUE, connection)
  queue.on('error', error => logger.debug({ error: error.message }, 'pipeline queue connection error'))
  const stopping = new AbortController()
  const running = new AbortController()
  let keeping = Promise.resolve()

  async function process(job: Job, token: string | undefined): Promise<void> {
    const { name, jobId } = jobSchema.parse(job.data)
    try {
      const id = jobId ?? (await pipelines.create(name, {}, running.signal)).id
      if (jobId === undefined) await job.updateData({ name, jobId: id })
      const { status, error } = await pipelines.run(id, {}, running.signal)
      logger.info({ job: id, name, status, ...(error === '' ? {} : { error }) }, 'scheduled job ended')
    } catch (error) {
      if (running.signal.aborted) {
        await job.moveToWait(token)
        throw new WaitingError()
      }
      // One of that name has not ended, or it is registered no longer: the next time comes by itself.
      if (!(error instanceof PipelineError)) throw error
      logger.warn({ name, error: error.message }, 'scheduled job not started')
    }
  }

  /** Makes what is scheduled what is registered. */
  async function keepUp(): Promise<void> {
    const scheduled = (await pipelines.list(stopping.signal)).flatMap(({ definition }) =>
      definition.schedule === undefined ? [] : [{ ...definition, schedule: definition.schedule }],
    )
    for (const { name, schedule: pattern, time_zone: tz } of scheduled) {
      const { age, count } = QUEUE_LIMITS.finishedJobs
      const opts = { removeOnComplete: { age, count }, removeOnFail: { age, count }, attempts: PIPELINE_LIMITS.attempts }
      await queue.upsertJobScheduler(name, { pattern, tz }, { name: 'run', data: { name }, opts }).catch((error: unknown) => {
        logger.error({ name, error: errorMessage(error) }, 'a job cannot be scheduled: its schedule is none')
      })
    }
    const names = new Set(scheduled.map(({ name }) => name))
    for (const { key } of await queue.getJobSchedulers()) if (!names.has(key)) await queue.removeJobScheduler(key)
    const { failed, dropped } = await pipelines.sweep(stopping.signal)
    for (const { id, name } of failed) logger.warn({ job: id, name }, 'a job failed: the process that ran it is gone')
    if (dropped > 0) logger.info({ tables: dropped }, 'tables of jobs dropped: their time is over')
  }

  async function keepUpUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      await keepUp().catch((error: unknown) => {
        // Whoever runs no pipelines has no tables for them.
        if (!stopping.signal.aborted) logger.debug({ error: errorMessage(error) }, 'schedules of pipelines were not read')
      })
      await wait(PIPELINE_LIMITS.keepUpMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  const worker = new Worker(PIPELINE_QUEUE, process, {
    ...connection,
    autorun: false,
    concurrency: PIPELINE_LIMITS.concurrency,
    lockDuration: QUEUE_LIMITS.lockMs,
    stalledInterval: QUEUE_LIMITS.stalledCheckMs,
    maxStalledCount: PIPELINE_LIMITS.attempts,
  })
  worker.on('error', error => logger.warn({ error: error.message }, 'pipeline worker error'))

  return {
    start() {
      worker.run().catch((error: unknown) => logger.error({ error: errorMessage(error) }, 'pipeline worker ended'))
      keeping = keepUpUntilStopped()
    },

    async close(graceMs) {
      stopping.abort()
      const closed = worker.close()
      if (!(await within(graceMs, closed))) {
        running.abort(new Error('the worker is stopping'))
        await within(PIPELINE_LIMITS.handBackMs, closed)
      }
      await within(PIPELINE_LIMITS.handBackMs, keeping)
      await queue.close()
    },
  }
}
