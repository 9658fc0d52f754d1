import { setMaxListeners } from 'node:events'

/**
 * Waits for `work` until the signal aborts. If the signal aborts first, rejects with the signal's reason. The work then
 * continues, but its result is ignored.
 */
export function abortable<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  // A single promise costs less than `Promise.race`. This matters, because each message makes a dozen Redis calls through this
  // function.
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    else {
      // A run makes many calls at a time under one signal. They are no leak, of which Node would warn.
      setMaxListeners(0, signal)
      signal.addEventListener('abort', onAbort)
    }
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
