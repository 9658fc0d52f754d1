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
