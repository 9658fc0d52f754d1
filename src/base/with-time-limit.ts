/**
 * Combines a signal with a time limit. Node 20 garbage-collects an `AbortSignal.timeout` if only `AbortSignal.any` refers to it. In that case the
 * limit would never take effect. A listener on the timeout signal prevents this.
 */
export function withTimeLimit(signal: AbortSignal, limitMs: number): AbortSignal {
  const deadline = AbortSignal.timeout(limitMs)
  deadline.addEventListener('abort', () => undefined, { once: true })
  return AbortSignal.any([signal, deadline])
}
