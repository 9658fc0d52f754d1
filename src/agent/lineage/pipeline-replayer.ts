import { withTimeLimit } from '../../base/with-time-limit.ts'
import type { JobEvent } from '../../pipelines/jobs/runner.ts'
import type { Pipelines } from '../../pipelines/pipelines.ts'
import { LINEAGE_LIMITS } from '../limits.ts'
import type { Replayer, ReplayOutcome, ReplayRequest } from './replayer.ts'

export interface PipelineReplayerDeps {
  readonly pipelines: Pick<Pipelines, 'createReplay' | 'run'>
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** The time limit. It begins when the replay is created, and does not begin again if another process continues the replay. */
  readonly limitMs?: number
}

/**
 * Returns a replayer for jobs of Clew's own pipelines. A replay runs in this process. It is cancelled if the investigation ends
 * first.
 */
export function createPipelineReplayer(deps: PipelineReplayerDeps): Replayer {
  return {
    async replay(request, onProgress, signal) {
      const outcome = await runReplay(deps, request, { onProgress, cancel: signal }, new AbortController().signal)
      signal.throwIfAborted()
      return outcome
    },
  }
}

/**
 * Runs a replay to its end. The replay may be new, or another process may already have started or even finished it.
 * @param options.cancel cancels the replay for good
 * @param signal stops the replay in this process, so that another one can continue it
 * @throws the errors of `Pipelines.createReplay` and `Pipelines.run`
 */
export async function runReplay(
  { pipelines, now, limitMs = LINEAGE_LIMITS.replayMs }: PipelineReplayerDeps,
  { runId, reason, askedBy }: ReplayRequest,
  { onProgress, cancel }: { readonly onProgress: (line: string) => void; readonly cancel: AbortSignal },
  signal: AbortSignal,
): Promise<ReplayOutcome> {
  const { id, createdAt } = await pipelines.createReplay(runId, reason, signal, askedBy)
  const ended = withTimeLimit(cancel, Math.max(0, createdAt.getTime() + limitMs - now()))
  const observe = progressOf(onProgress)
  const job = await pipelines.run(id, { cancel: ended, observe }, signal)
  if (job.status === 'COMPLETED') return { kind: 'completed', runId: id }
  const tookMs = (job.finishedAt ?? createdAt).getTime() - createdAt.getTime()
  const isTooLong = job.status === 'CANCELLED' && tookMs >= limitMs
  return isTooLong ? { kind: 'timeout', limitMs } : { kind: 'failed', reason: job.error }
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

function progressOf(onProgress: (line: string) => void): (event: JobEvent) => void {
  let ended = 0
  let rows = 0
  return event => {
    if (event.kind === 'task_ended') {
      ended += 1
      rows += event.rows ?? 0
    }
    onProgress(`step ${Math.min(ended + 1, event.of)} of ${event.of}, ${COMPACT.format(rows)} ${rows === 1 ? 'row' : 'rows'}`)
  }
}
