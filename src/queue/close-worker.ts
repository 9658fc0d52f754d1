import { doneWithin } from '../base/done-within.ts'
import { QUEUE_LIMITS } from './limits.ts'

export interface WorkerToClose {
  /** Settles when the BullMQ worker has closed. The worker already refuses new jobs. */
  readonly closed: Promise<unknown>
  /** Returns the number of jobs in progress. */
  readonly inHand: () => number
  /** The time for running jobs to finish. */
  readonly graceMs: number
  /** Aborts the jobs that are still running after `graceMs`. */
  readonly callOff: () => void
  /** The time for aborted jobs to give back their unfinished work. */
  readonly handBackMs: number
}

/**
 * Waits for a worker to close. A worker with running jobs gets time to finish them. An idle worker only waits briefly for Redis.
 * If Redis does not answer, the locks of the worker's jobs expire, and other workers take over.
 * @returns whether the worker has closed
 */
export async function closeWorker({ closed, inHand, graceMs, callOff, handBackMs }: WorkerToClose): Promise<boolean> {
  const briefly = Math.min(graceMs, QUEUE_LIMITS.idleCloseMs)
  if (await doneWithin(briefly, closed)) return true
  if (inHand() > 0 && (await doneWithin(graceMs - briefly, closed))) return true
  callOff()
  return inHand() > 0 && doneWithin(handBackMs, closed)
}
