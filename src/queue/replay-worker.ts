import type { Job } from 'bullmq'
import { type PipelineReplayerDeps, runReplay } from '../agent/lineage/pipeline-replayer.ts'
import { type ReplayOutcome, replayRequestSchema } from '../agent/lineage/replayer.ts'
import { JobOvertakenError } from '../pipelines/job-heartbeat.ts'
import { PipelineError } from '../pipelines/pipeline-error.ts'
import { REPLAY_LIMITS } from './limits.ts'
import { createPipelineWorker, type PipelineWorker, type PipelineWorkerDeps } from './pipeline-worker.ts'
import { REPLAY_QUEUE, type ReplayProgress } from './replay-queue.ts'
import type { RunCancellation } from './run-cancellation.ts'

export interface ReplayWorkerDeps extends PipelineReplayerDeps, Pick<PipelineWorkerDeps, 'redis' | 'logger'> {
  /** Tells when the question is stopped or deleted, whether or not somebody works on it just then. */
  readonly cancellation: Pick<RunCancellation, 'untilRequested'>
}

/** Runs the replays that investigations wait for, beside what the schedules want. */
export function createReplayWorker({ redis, cancellation, logger, ...deps }: ReplayWorkerDeps): PipelineWorker {
  async function work(job: Job, signal: AbortSignal): Promise<ReplayOutcome> {
    const request = replayRequestSchema.parse(job.data)
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
      // What is not shown now is shown with the next step.
      job.updateProgress({ line } satisfies ReplayProgress).catch(() => undefined)
    }
    try {
      const outcome = await runReplay(deps, request, { onProgress, cancel: cancelled.signal }, signal)
      logger.info({ replayed: request.runId, run: request.askedBy, outcome: outcome.kind }, 'replay ended')
      return outcome
    } catch (error) {
      // What is wrong with the job itself stays so, however often it is tried.
      if (signal.aborted || !(error instanceof PipelineError) || error instanceof JobOvertakenError) throw error
      return { kind: 'failed', reason: error.message }
    } finally {
      ended.abort()
    }
  }

  return createPipelineWorker({ redis, queue: REPLAY_QUEUE, concurrency: REPLAY_LIMITS.concurrency, work, logger })
}
