/** Waits for `work` until the signal aborts. Then it throws the signal's reason, and the work continues unobserved. */
export function abortable<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  // A single promise without a race, since each message makes a dozen Redis calls through this.
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
