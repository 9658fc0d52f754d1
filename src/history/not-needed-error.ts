import { ClewError } from '../base/errors.ts'

/** Cancels a step that was started ahead of time and is not needed. This is not a failure: the trace shows a cancellation. */
export class NotNeededError extends ClewError {
  /** @param cause why the step is not needed, such as "the message is no data question" */
  constructor(cause: string) {
    super(cause, { code: 'not_needed' })
  }
}
