import { setTimeout as wait } from 'node:timers/promises'
import { ClewError } from '../base/errors.ts'
import { abortable } from '../store/abortable.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { redisScript, runScript } from '../store/redis/script.ts'
import { QUEUE_LIMITS } from './limits.ts'
import type { RecordWatcher } from './record-watcher.ts'

/** The reasons why a run is cancelled: its asker pressed Stop, or the question was deleted. */
export const STOPPED = 'stopped'
export const CANCEL_REASONS = [STOPPED, 'deleted'] as const
export type CancelReason = (typeof CANCEL_REASONS)[number]

/** Cancels runs from any process, even runs that have not started. Methods throw StoreError. */
export interface RunCancellation {
  /**
   * Cancels a run. If it is cancelled already, the first reason stays.
   * @returns whether a process is working on the run
   */
  request(runId: string, reason: CancelReason, signal: AbortSignal): Promise<boolean>
  /** Returns the reason why a run was cancelled. Undefined if it was not. */
  requested(runId: string, signal: AbortSignal): Promise<CancelReason | undefined>
  /**
   * Waits until the run is cancelled.
   * @throws the signal's reason if the signal aborts first
   */
  untilRequested(runId: string, signal: AbortSignal): Promise<CancelReason>
}

// PUBLISH returns the number of listeners. In a Redis Cluster, it counts only those on one node, so 0 does not prove that nobody
// listens.
const REQUEST = redisScript(`
  redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
  return redis.call('PUBLISH', KEYS[1], ARGV[1])
`)

export function createRunCancellation(redis: RedisClient, watcher: RecordWatcher): RunCancellation {
  async function requested(runId: string, signal: AbortSignal): Promise<CancelReason | undefined> {
    const found = await callRedis(redis.get(keyOf(runId)), signal)
    return CANCEL_REASONS.find(reason => reason === found)
  }

  return {
    requested,
    async request(runId, reason, signal) {
      const heard = await abortable(runScript(redis, REQUEST, [keyOf(runId)], [reason, QUEUE_LIMITS.ledgerMs]), signal)
      return Number(heard) > 0
    },
    async untilRequested(runId, signal) {
      const timeoutMs = QUEUE_LIMITS.cancelCheckMs
      const found: CancelReason[] = []
      const look = async () => {
        const reason = await requested(runId, signal)
        if (reason !== undefined) found.push(reason)
        return reason !== undefined
      }
      for (;;) {
        try {
          // Each wait first reads the key, because the announcement may have been lost together with the connection.
          await watcher.wait(keyOf(runId), { timeoutMs, look }, signal)
          if (found[0] !== undefined) return found[0]
        } catch {
          signal.throwIfAborted()
          await wait(timeoutMs, undefined, { signal })
        }
      }
    },
  }
}

/** Returns the key of a cancellation, which is also the name of the channel that announces it. */
function keyOf(runId: string): string {
  return `clew:run:{${runId}}:cancel`
}

/** Thrown when somebody stops a run or deletes its question. */
export class RunCancelledError extends ClewError {
  readonly reason: CancelReason

  constructor(reason: CancelReason) {
    super(`The run was ${reason}`, { code: 'run_cancelled' })
    this.reason = reason
  }
}

/**
 * Does a run's work with a signal that aborts with RunCancelledError when the run is cancelled.
 * @throws RunCancelledError, or the error of the work
 */
export async function untilCancelled<Value>(
  cancellation: Pick<RunCancellation, 'untilRequested'>,
  runId: string,
  work: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const cancelled = new AbortController()
  const done = new AbortController()
  cancellation.untilRequested(runId, AbortSignal.any([signal, done.signal])).then(
    reason => cancelled.abort(new RunCancelledError(reason)),
    () => undefined,
  )
  try {
    return await work(AbortSignal.any([signal, cancelled.signal]))
  } finally {
    done.abort()
  }
}
