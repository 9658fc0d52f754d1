import { ClewError } from '../errors.ts'
import type { CancelReason, RunCancellation } from './run-cancellation.ts'

/** The run was ended from outside. */
export class RunCancelledError extends ClewError {
  readonly reason: CancelReason

  constructor(reason: CancelReason) {
    super(`The run was ${reason}`, { code: 'run_cancelled' })
    this.reason = reason
  }
}

/**
 * Does the work of a run, whose signal is aborted by a RunCancelledError when it is to end.
 * @throws RunCancelledError, and whatever the work throws
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
