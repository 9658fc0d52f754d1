/**
 * Combines a signal with a time limit. In Node 20, an `AbortSignal.timeout` that only `AbortSignal.any` refers to may be
 * garbage-collected, and would then never abort. A listener on the timeout signal prevents this.
 */
export function withTimeLimit(signal: AbortSignal, limitMs: number): AbortSignal {
  const deadline = AbortSignal.timeout(limitMs)
  deadline.addEventListener('abort', () => undefined, { once: true })
  return AbortSignal.any([signal, deadline])
}
