import { UnrecoverableError } from 'bullmq'
import type { TaskOutcome } from './process.ts'

/**
 * Turns the outcome of a failed task into the error to throw in the queue's processor. BullMQ retries everything but UnrecoverableError.
 */
export function jobError({ error, retryable }: Extract<TaskOutcome, { kind: 'failed' }>): Error {
  return retryable ? new Error(error) : new UnrecoverableError(error)
}
