/** Waits for `work`, but no longer than until the signal is aborted; then it throws the signal's reason and lets the work go on unseen. */
export function abortable<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  // One promise and no race: Redis is asked through this a dozen times for each message.
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
