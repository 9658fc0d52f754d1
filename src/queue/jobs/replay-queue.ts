import { setTimeout as wait } from 'node:timers/promises'
import { type Job, Queue } from 'bullmq'
import { z } from 'zod'
import { LINEAGE_LIMITS } from '../../agent/limits.ts'
import { type Replayer, type ReplayOutcome, type ReplayRequest, replayOutcomeSchema } from '../../agent/lineage/replayer.ts'
import type { Logger } from '../../base/logger.ts'
import { abortable } from '../../store/abortable.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { storeError } from '../../store/store-error.ts'
import { traceparent } from '../../telemetry/span.ts'
import { DRAIN_PREFIX } from '../drain-queue.ts'
import { PIPELINE_LIMITS, QUEUE_LIMITS, REPLAY_LIMITS } from '../limits.ts'
import { openValue, signValue } from '../signed-job.ts'

export const REPLAY_QUEUE = 'replays'
/**
 * Returns the names under which a replay's request, progress and outcome are signed (see `signValue`). Without signatures, a
 * forged or copied outcome could lead the investigation to another run.
 */
export const replayPlaces = (id: string) =>
  ({ request: `replay ${id}`, progress: `replay ${id} progress`, outcome: `replay ${id} outcome` }) as const

/**
 * Lets workers run replays (repeats of a pipeline's job), and waits for their results. A second request for the same replay, even
 * from another process, waits for the same result.
 */
export interface ReplayQueue extends Replayer {
  close(): Promise<void>
}

export interface ReplayQueueDeps {
  readonly redis: RedisClient
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** Replaces some of `REPLAY_LIMITS`. Only tests set it. */
  readonly limits?: Partial<Record<'sideBySide' | 'most' | 'waitMs' | 'lookMs', number>>
  readonly logger: Logger
}

export function createReplayQueue({ redis, now, limits: own, logger }: ReplayQueueDeps): ReplayQueue {
  const limits = { ...REPLAY_LIMITS, ...own }
  const queue = new Queue(REPLAY_QUEUE, { connection: redis, prefix: DRAIN_PREFIX })
  queue.on('error', error => logger.debug({ error: error.message }, 'replay queue connection error'))

  /**
   * Queues a replay once.
   * @returns undefined, or the number of other replays if there are too many
   */
  async function accept(id: string, request: ReplayRequest): Promise<number | undefined> {
    const { waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts('waiting', 'active', 'delayed')
    const others = waiting + active + delayed
    if (others >= limits.most) return others
    await queue.setGlobalConcurrency(limits.sideBySide)
    const signed = signValue(redis.stateKey, replayPlaces(id).request, request)
    const data = { ...signed, ...traceparent() }
    await queue.add('replay', data, {
      jobId: id,
      attempts: PIPELINE_LIMITS.attempts,
      backoff: { type: 'exponential', delay: PIPELINE_LIMITS.firstRetryMs },
      removeOnComplete: { ...QUEUE_LIMITS.finishedJobs },
      removeOnFail: { ...QUEUE_LIMITS.finishedJobs },
    })
    return undefined
  }

  /** Returns the outcome of a replay if it has ended. If not, returns a short line about its progress, which may be empty. */
  async function look(job: Job): Promise<string | ReplayOutcome> {
    const state = await job.getState()
    if (state === 'completed' || state === 'failed') return outcomeOf(job.id ?? '')
    const waitedMs = now() - job.timestamp
    const isBegun = state === 'active' || job.processedOn !== undefined
    if (!isBegun && waitedMs > limits.waitMs) {
      // The removal fails if a worker takes the job at this moment.
      const isRemoved = await job.remove().then(
        () => true,
        () => false,
      )
      if (isRemoved) return { kind: 'busy', others: await queue.getActiveCount() }
    }
    if (waitedMs > limits.waitMs + LINEAGE_LIMITS.replayMs + limits.endMs)
      return { kind: 'timeout', limitMs: LINEAGE_LIMITS.replayMs }
    if (!isBegun) return waitingLine(await queue.getActiveCount())
    const progress = z.string().safeParse(openValue(redis.stateKey, replayPlaces(job.id ?? '').progress, job.progress))
    return progress.success ? progress.data : ''
  }

  /** Loads the job again, because an earlier copy may lack the outcome. Returns the outcome or the progress. */
  async function outcomeOf(id: string): Promise<string | ReplayOutcome> {
    const job = await queue.getJob(id)
    if (job === undefined) return ''
    const outcome = replayOutcomeSchema.safeParse(openValue(redis.stateKey, replayPlaces(id).outcome, job.returnvalue))
    return outcome.success ? outcome.data : { kind: 'failed', reason: 'what ended it stands in the log of the worker' }
  }

  return {
    async replay(request, onProgress, signal) {
      const id = encodeURIComponent(`${request.askedBy}/${request.runId}`)
      const asked = <Value>(call: Promise<Value>) => abortable(call.catch(rethrown), signal)
      for (let shown = ''; ; ) {
        const job = await asked(queue.getJob(id))
        if (job === undefined) {
          const others = await asked(accept(id, request))
          if (others !== undefined) return { kind: 'busy', others }
          continue
        }
        const found = await asked(look(job))
        if (typeof found !== 'string') return found
        if (found !== '' && found !== shown) onProgress(found)
        shown = found
        await wait(limits.lookMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      }
    },
    close: () => queue.close(),
  }
}

function waitingLine(running: number): string {
  return running === 0 ? '' : `waits for its turn: ${running} ${running === 1 ? 'other runs' : 'others run'}`
}

function rethrown(error: unknown): never {
  throw storeError(error)
}
