import { setTimeout as wait } from 'node:timers/promises'

/** Whether `done` completes in time. Later results are ignored. @throws its error, if in time */
export async function doneWithin(milliseconds: number, done: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const over = wait(milliseconds, false, { signal: timer.signal }).catch(() => false)
  try {
    return await Promise.race([done.then(() => true), over])
  } finally {
    timer.abort()
  }
}

/** Resolves when the work has ended, with or without an error, or after the time limit. */
export async function settledWithin(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await doneWithin(milliseconds, work).catch(() => undefined)
}
