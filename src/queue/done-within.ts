import { setTimeout as wait } from 'node:timers/promises'

/** Whether that was done in time. */
export async function doneWithin(milliseconds: number, done: Promise<void>): Promise<boolean> {
  const timer = new AbortController()
  const over = wait(milliseconds, false, { signal: timer.signal }).catch(() => false)
  try {
    return await Promise.race([done.then(() => true), over])
  } finally {
    timer.abort()
  }
}
