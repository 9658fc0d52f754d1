import { doneWithin } from '../done-within.ts'
import { QUEUE_LIMITS } from './limits.ts'

export interface WorkerToClose {
  /** The end of a BullMQ worker that takes nothing new. */
  readonly closed: Promise<unknown>
  /** How many jobs it works on. */
  readonly inHand: () => number
  /** For them to finish. */
  readonly graceMs: number
  /** Ends what works on them after that. */
  readonly callOff: () => void
  /** For them to be handed back then. */
  readonly handBackMs: number
}

/**
 * Waits for a worker's end, with time for the jobs that it has in hand. Without any it is Redis alone that is waited for, and that is not done for long: what another
 * worker finds held by this one is taken over as from a killed one.
 * @returns whether it has ended
 */
export async function closeWorker({ closed, inHand, graceMs, callOff, handBackMs }: WorkerToClose): Promise<boolean> {
  const briefly = Math.min(graceMs, QUEUE_LIMITS.idleCloseMs)
  if (await doneWithin(briefly, closed)) return true
  if (inHand() > 0 && (await doneWithin(graceMs - briefly, closed))) return true
  callOff()
  return inHand() > 0 && doneWithin(handBackMs, closed)
}
