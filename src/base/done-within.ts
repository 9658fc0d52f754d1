import { setTimeout as wait } from 'node:timers/promises'

/**
 * Whether `done` resolves within the time. A later result or error is ignored.
 * @throws the error of `done`, if it rejects in time
 */
export async function doneWithin(milliseconds: number, done: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const over = wait(milliseconds, false, { signal: timer.signal }).catch(() => false)
  try {
    return await Promise.race([done.then(() => true), over])
  } finally {
    timer.abort()
  }
}

/** Resolves when the work ends, with or without an error. Resolves at the time limit even if the work has not ended. */
export async function settledWithin(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await doneWithin(milliseconds, work).catch(() => undefined)
}
