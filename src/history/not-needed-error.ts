import { ClewError } from '../base/errors.ts'

/** Cancels a step that was started ahead of time and is not needed. The trace shows a cancellation, because this is no failure. */
export class NotNeededError extends ClewError {
  /** @param cause why the run does not need the step, e.g. "the message is no data question" */
  constructor(cause: string) {
    super(cause, { code: 'not_needed' })
  }
}
