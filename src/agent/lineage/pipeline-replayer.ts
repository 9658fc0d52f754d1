import { runOf } from '../../pipelines/lineage/operation-log-source.ts'
import type { Pipelines } from '../../pipelines/pipelines.ts'
import type { Replayer } from './replayer.ts'

/** Longer than any job that is worth waiting for in a conversation. */
const REPLAY_LIMIT_MS = 30 * 60_000

/** Replays jobs of Clew's own pipelines, in this process. */
export function createPipelineReplayer(pipelines: Pipelines, limitMs = REPLAY_LIMIT_MS): Replayer {
  return {
    async replay(runId, reason, onProgress, signal) {
      const { id } = await pipelines.createReplay(runId, reason, signal)
      const limit = AbortSignal.timeout(limitMs)
      // An investigation that ends takes its replay with it.
      const cancel = AbortSignal.any([signal, limit])
      const own = new AbortController().signal
      const job = await pipelines.run(
        id,
        {
          cancel,
          observe: event => {
            if (event.kind === 'task_ended' && event.error === '')
              onProgress(`${event.task.replace(/^\w+:/, '')}: ${event.rows ?? 0} rows`)
          },
        },
        own,
      )
      signal.throwIfAborted()
      if (job.status === 'COMPLETED') return { kind: 'completed', run: runOf(job) }
      return limit.aborted ? { kind: 'timeout', limitMs } : { kind: 'failed', reason: job.error }
    },
  }
}
