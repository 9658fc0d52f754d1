import { ClewError } from '../base/errors.ts'

/** Cancels a step that was started ahead of time. Expected: the trace shows a cancellation, not a failure. */
export class NotNeededError extends ClewError {
  /** @param cause why the step is not needed, e.g. "the message is no data question" */
  constructor(cause: string) {
    super(cause, { code: 'not_needed' })
  }
}
