/** Resolves after the delay, or at once when the signal aborts. */
export async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>(resolve => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done)
  })
}

/** Resolves when the work has ended, with or without an error, or after the time limit. */
export async function settledWithin(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const enough = new AbortController()
  await Promise.race([work.catch(() => {}), delay(milliseconds, enough.signal)])
  enough.abort()
}
