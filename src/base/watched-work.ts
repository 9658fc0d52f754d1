import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'

/** A piece of work of this process: a run, or the handling of a platform's event. */
interface WatchedRun {
  /** The name of the run in the log. */
  readonly id: string
  /** The person for whom the work is done. The name is unique over all platforms. */
  readonly person?: string
  /** The place in which the person asks. */
  readonly place?: { readonly platform: string; readonly channel: string }
  /** The person's role in the access rules. */
  readonly role?: string
  readonly end?: () => void
}

/** The work in progress, in the form in which the watching thread reads it. */
export interface WorkAtHand {
  /** Identifies one attempt at a run. Another attempt at the same run has another key. */
  readonly key: number
  readonly run: string
  readonly step: string
  /** Whether several people await the result. See `forEverybody`. */
  readonly isForEverybody?: true
}

/**
 * The work in progress. It is global, because all parts of a process share one event loop. After an `await`, work still belongs
 * to the same run.
 */
const current = new AsyncLocalStorage<WorkAtHand>()
const runs = new Map<number, WatchedRun>()
const ended = new Set<number>()
let latest = 0

/** The watching thread reads the work in progress through the global symbol of this name. */
export const WORK_AT_HAND = 'clew.work-at-hand'
Object.defineProperty(globalThis, Symbol.for(WORK_AT_HAND), { value: () => JSON.stringify(current.getStore() ?? null) })

/**
 * Does work that belongs to a run.
 * @param run.end called if the work has blocked the event loop for too long
 */
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

/** Whether a step of the current run has blocked the event loop for too long. */
export async function hasHeldLoop(): Promise<boolean> {
  const work = current.getStore()
  if (work === undefined) return false
  // After two turns of the event loop, any message that the watching thread has sent has arrived.
  await turn()
  await turn()
  return ended.has(work.key)
}

/** Does work as a step of the current run. */
export function asStep<Value>(step: string, work: () => Value): Value {
  const run = current.getStore()
  return run === undefined ? work() : current.run({ ...run, step }, work)
}

/**
 * Does work whose result several people await, such as reading the schema. It belongs to no person, because otherwise the others
 * would wait for the turn of the person who started it.
 */
export function forEverybody<Value>(work: () => Value): Value {
  const run = current.getStore()
  return run === undefined ? work() : current.run({ ...run, isForEverybody: true }, work)
}

/** Returns the person for whom the current run works. Empty if there is no person. */
export function personAtHand(): string {
  const work = current.getStore()
  return (work && !work.isForEverybody && runs.get(work.key)?.person) || ''
}

/** For whom and for what the current work is done. Empty outside of a run. */
export interface Subject extends Pick<WatchedRun, 'person' | 'place' | 'role'> {
  readonly run?: string
  readonly step?: string
}

/** Returns for whom and for what the current work is done. */
export function subjectAtHand(): Subject {
  const work = current.getStore()
  if (work === undefined) return {}
  const { person, place, role } = (!work.isForEverybody && runs.get(work.key)) || {}
  return { run: work.run, step: work.step, ...(person && { person }), ...(place && { place }), ...(role && { role }) }
}

/** Returns a number that identifies the current run. Later runs have higher numbers. 0 outside of a run. */
export function runAtHand(): number {
  return current.getStore()?.key ?? 0
}

/** Ends the run with this key, if the run is still in progress. */
export function endRun(key: number): void {
  const run = runs.get(key)
  if (run === undefined) return
  ended.add(key)
  run.end?.()
}
