import { UnrecoverableError } from 'bullmq'
import type { TaskOutcome } from './process.ts'

/** Returns the error that a failed task's queue gets. BullMQ retries everything but UnrecoverableError. */
export function jobError({ error, retryable }: Extract<TaskOutcome, { kind: 'failed' }>): Error {
  return retryable ? new Error(error) : new UnrecoverableError(error)
}
