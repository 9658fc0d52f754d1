import { ClewError, errorMessage } from '../errors.ts'
import type { Logger } from '../logger.ts'
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
 * Does the work of a run, unless that is to end already; its signal is aborted by a RunCancelledError when it is.
 * @throws RunCancelledError, and whatever the work throws
 */
export async function untilCancelled<Value>(
  deps: { readonly cancellation: Pick<RunCancellation, 'requested' | 'untilRequested'>; readonly logger: Logger },
  runId: string,
  work: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const asked = await deps.cancellation.requested(runId, signal)
  if (asked !== undefined) throw new RunCancelledError(asked)
  const cancelled = new AbortController()
  const done = new AbortController()
  const listening = AbortSignal.any([signal, done.signal])
  deps.cancellation.untilRequested(runId, listening).then(
    reason => cancelled.abort(new RunCancelledError(reason)),
    (error: unknown) => {
      if (!listening.aborted) deps.logger.warn({ error: errorMessage(error) }, 'a stop of this run would not be heard')
    },
  )
  try {
    return await work(AbortSignal.any([signal, cancelled.signal]))
  } finally {
    done.abort()
  }
}
