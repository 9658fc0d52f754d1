import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'

/** Work of this process: a run, or an event of a platform. */
interface WatchedRun {
  /** The name of the run in the log. */
  readonly id: string
  /** The person for whom the work is done. */
  readonly person?: string
  readonly end?: () => void
}

/** The work in progress, as another thread sees it. */
export interface WorkAtHand {
  /** Tells apart repeated attempts of one run. */
  readonly key: number
  readonly run: string
  readonly step: string
}

/**
 * The work in progress. It is mutable, because all parts of a process share one event loop. After an `await`, work still belongs to its run.
 */
const current = new AsyncLocalStorage<WorkAtHand>()
const runs = new Map<number, WatchedRun>()
const ended = new Set<number>()
let latest = 0

/** The name of the global symbol from which the watching thread reads the work in progress. */
export const WORK_AT_HAND = 'clew.work-at-hand'
Object.defineProperty(globalThis, Symbol.for(WORK_AT_HAND), { value: () => JSON.stringify(current.getStore() ?? null) })

/** Does work that belongs to a run. @param run.end called if the work has blocked the event loop too long */
export async function asRun<Value>(run: WatchedRun, work: () => Promise<Value>): Promise<Value> {
  latest += 1
  const key = latest
  runs.set(key, run)
  try {
    return await current.run({ key, run: run.id, step: 'answer' }, work)
  } finally {
    runs.delete(key)
    ended.delete(key)
  }
}

/** Whether a step of the current run has blocked the event loop too long. */
export async function hasHeldLoop(): Promise<boolean> {
  const work = current.getStore()
  if (work === undefined) return false
  // The watching thread's message arrives at the next poll of the loop, which comes before the second turn.
  await turn()
  await turn()
  return ended.has(work.key)
}

/** Does work as a step of the current run. */
export function asStep<Value>(step: string, work: () => Value): Value {
  const run = current.getStore()
  return run === undefined ? work() : current.run({ ...run, step }, work)
}

/** Returns the person for whom the current run works, or an empty text. */
export function personAtHand(): string {
  const work = current.getStore()
  return (work && runs.get(work.key)?.person) ?? ''
}

/** Ends the run of this key, if it is still in progress. */
export function endRun(key: number): void {
  const run = runs.get(key)
  if (run === undefined) return
  ended.add(key)
  run.end?.()
}
