import { doneWithin } from '../base/done-within.ts'
import { QUEUE_LIMITS } from './limits.ts'

export interface WorkerToClose {
  /** Settles when the BullMQ worker, which takes no new jobs, has ended. */
  readonly closed: Promise<unknown>
  /** The number of jobs under way. */
  readonly inHand: () => number
  /** How long jobs may take to finish. */
  readonly graceMs: number
  /** Aborts the jobs after that. */
  readonly callOff: () => void
  /** How long aborted jobs may take to hand back their work. */
  readonly handBackMs: number
}

/**
 * Waits for a worker's end, longer if it has running jobs. An idle worker waits only for Redis, and briefly: other workers take
 * over its locks anyway.
 * @returns whether it has ended
 */
export async function closeWorker({ closed, inHand, graceMs, callOff, handBackMs }: WorkerToClose): Promise<boolean> {
  const briefly = Math.min(graceMs, QUEUE_LIMITS.idleCloseMs)
  if (await doneWithin(briefly, closed)) return true
  if (inHand() > 0 && (await doneWithin(graceMs - briefly, closed))) return true
  callOff()
  return inHand() > 0 && doneWithin(handBackMs, closed)
}
