import { setTimeout as wait } from 'node:timers/promises'

/** Whether that was done in time; what it comes to later is not heard. @throws what it threw by then */
export async function doneWithin(milliseconds: number, done: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const over = wait(milliseconds, false, { signal: timer.signal }).catch(() => false)
  try {
    return await Promise.race([done.then(() => true), over])
  } finally {
    timer.abort()
  }
}
