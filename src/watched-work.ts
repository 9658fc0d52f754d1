import { AsyncLocalStorage } from 'node:async_hooks'

/** A run that works in this process: nothing of it but what ends it, and what it is called in the log. */
interface WatchedRun {
  readonly id: string
  readonly end: () => void
}

/** What is at work, as it is told from another thread. */
export interface WorkAtHand {
  /** Tells it from another life of the same run. */
  readonly key: number
  readonly run: string
  readonly step: string
}

/** Of the process, like its event loop: whatever goes on after an await is found to belong to its run. */
const current = new AsyncLocalStorage<WorkAtHand>()
const runs = new Map<number, WatchedRun>()
let latest = 0

/** By this name the thread that watches the event loop asks what is at work, in the midst of it. */
export const WORK_AT_HAND = 'clew.work-at-hand'
Object.defineProperty(globalThis, Symbol.for(WORK_AT_HAND), { value: () => JSON.stringify(current.getStore() ?? null) })

/** Does the work of a run. @param run.end is called when the work has kept the event loop for too long, and has let it go */
export async function asRun<Value>(run: WatchedRun, work: () => Promise<Value>): Promise<Value> {
  latest += 1
  const key = latest
  runs.set(key, run)
  try {
    return await current.run({ key, run: run.id, step: 'answer' }, work)
  } finally {
    runs.delete(key)
  }
}

/** Does a step of the run that is at work. */
export function asStep<Value>(step: string, work: () => Value): Value {
  const run = current.getStore()
  return run === undefined ? work() : current.run({ ...run, step }, work)
}

/** Ends a run, if it is still there. */
export function endRun(key: number): void {
  runs.get(key)?.end()
}
