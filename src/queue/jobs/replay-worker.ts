import { type Job, UnrecoverableError } from 'bullmq'
import { z } from 'zod'
import { type PipelineReplayerDeps, runReplay } from '../../agent/lineage/pipeline-replayer.ts'
import { type ReplayOutcome, replayRequestSchema } from '../../agent/lineage/replayer.ts'
import { PipelineError } from '../../pipelines/error.ts'
import { JobOvertakenError } from '../../pipelines/jobs/heartbeat.ts'
import type { StateKey } from '../../store/signed-text.ts'
import { inSpan } from '../../telemetry/span.ts'
import { REPLAY_LIMITS } from '../limits.ts'
import type { RunCancellation } from '../run-cancellation.ts'
import { openValue, signValue } from '../signed-job.ts'
import { createPipelineWorker, type PipelineWork, type PipelineWorker, type PipelineWorkerDeps } from './pipeline-worker.ts'
import { REPLAY_QUEUE, replayPlaces } from './replay-queue.ts'

interface ReplayWorkDeps extends PipelineReplayerDeps, Pick<PipelineWorkerDeps, 'logger'> {
  /** The key for signing and checking requests and outcomes. */
  readonly key: StateKey
  /**
   * Tells the worker that somebody has stopped or deleted the question. This works even while no process works on the question.
   */
  readonly cancellation: Pick<RunCancellation, 'untilRequested'>
}

const tracedSchema = z.object({ traceparent: z.string().optional() })

/** Returns the function that runs a replay for an investigation. A replay repeats a pipeline's job and publishes nothing. */
export function createReplayWork({ cancellation, key, logger, ...deps }: ReplayWorkDeps): PipelineWork {
  async function outcomeOf(job: Job, signal: AbortSignal): Promise<ReplayOutcome> {
    const places = replayPlaces(job.id ?? '')
    const request = replayRequestSchema.safeParse(openValue(key, places.request, job.data)).data
    if (request === undefined) throw new UnrecoverableError('the signature of a replay is wrong')
    const cancelled = new AbortController()
    const ended = new AbortController()
    const watching = AbortSignal.any([signal, ended.signal])
    for (const runId of request.stoppedWith) {
      cancellation.untilRequested(runId, watching).then(
        reason => cancelled.abort(reason),
        () => undefined,
      )
    }
    const onProgress = (line: string) => {
      // A failed update does not matter, because the next step updates the progress again.
      job.updateProgress(signValue(key, places.progress, line)).catch(() => undefined)
    }
    try {
      const outcome = await runReplay(deps, request, { onProgress, cancel: cancelled.signal }, signal)
      logger.info({ replayed: request.runId, run: request.askedBy, outcome: outcome.kind }, 'replay ended')
      return outcome
    } catch (error) {
      // This error comes from the pipeline's job itself, so another attempt would fail again.
      if (signal.aborted || !(error instanceof PipelineError) || error instanceof JobOvertakenError) throw error
      return { kind: 'failed', reason: error.message }
    } finally {
      ended.abort()
    }
  }
  return async (job, signal) => {
    // The trace is not signed, because it only names where the work is added.
    const parent = tracedSchema.safeParse(job.data).data?.traceparent
    const outcome = await inSpan('replay', { kind: 'consumer', parent }, () => outcomeOf(job, signal))
    return signValue(key, replayPlaces(job.id ?? '').outcome, outcome)
  }
}

export interface ReplayWorkerDeps extends Omit<ReplayWorkDeps, 'key'>, Pick<PipelineWorkerDeps, 'redis' | 'alone'> {}

/** Creates a worker for replays. Scheduled jobs have a worker of their own. */
export function createReplayWorker(deps: ReplayWorkerDeps): PipelineWorker {
  const { redis, alone, logger } = deps
  const { concurrency } = REPLAY_LIMITS
  return createPipelineWorker({
    redis,
    queue: REPLAY_QUEUE,
    concurrency,
    work: createReplayWork({ ...deps, key: redis.stateKey }),
    alone,
    logger,
  })
}
