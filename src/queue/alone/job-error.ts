import { UnrecoverableError } from 'bullmq'
import type { TaskOutcome } from './process.ts'

/** Returns the error that tells BullMQ how a task failed. BullMQ repeats the job after any error except UnrecoverableError. */
export function jobError({ error, retryable }: Extract<TaskOutcome, { kind: 'failed' }>): Error {
  return retryable ? new Error(error) : new UnrecoverableError(error)
}
