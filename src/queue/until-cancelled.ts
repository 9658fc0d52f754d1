import { ClewError } from '../base/errors.ts'
import type { CancelReason, RunCancellation } from './run-cancellation.ts'

/** Somebody stopped the run or deleted its question. */
export class RunCancelledError extends ClewError {
  readonly reason: CancelReason

  constructor(reason: CancelReason) {
    super(`The run was ${reason}`, { code: 'run_cancelled' })
    this.reason = reason
  }
}

/**
 * Does a run's work with a signal that aborts with RunCancelledError when the run is cancelled.
 * @throws RunCancelledError; the work's own errors
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
