import { ClewError } from '../base/errors.ts'
import type { CancelReason, RunCancellation } from './run-cancellation.ts'

/** The run ended because somebody stopped it or deleted its question. */
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
