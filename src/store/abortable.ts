/** Waits for `work`, but no longer than until the signal is aborted; then it throws the signal's reason and lets the work go on unseen. */
export async function abortable<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let onAbort: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort)
    work.catch(() => undefined)
  }
}
