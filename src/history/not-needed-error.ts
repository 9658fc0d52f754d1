import { ClewError } from '../errors.ts'

/** Why a step that was begun ahead of time is cancelled. Expected: no fault of the step, and told as a cancellation in the run's trace. */
export class NotNeededError extends ClewError {
  /** @param cause what made it needless: "the message is no data question" */
  constructor(cause: string) {
    super(cause, { code: 'not_needed' })
  }
}
