import { UnrecoverableError } from 'bullmq'
import type { TaskOutcome } from './process.ts'

/** The error of a task that failed alone, for its queue: BullMQ retries everything but UnrecoverableError. */
export function jobError({ error, retryable }: Extract<TaskOutcome, { kind: 'failed' }>): Error {
  return retryable ? new Error(error) : new UnrecoverableError(error)
}
