import { UnrecoverableError } from 'bullmq'
import type { TaskOutcome } from './process.ts'

/** Returns the error to throw in the queue's processor after a failed task. BullMQ retries all errors but UnrecoverableError. */
export function jobError({ error, retryable }: Extract<TaskOutcome, { kind: 'failed' }>): Error {
  return retryable ? new Error(error) : new UnrecoverableError(error)
}
