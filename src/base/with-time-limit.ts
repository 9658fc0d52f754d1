/**
 * Combines a signal with a time limit. If only `AbortSignal.any` refers to an `AbortSignal.timeout`, Node 20 collects its timer and the limit never
 * comes. A listener of its own keeps it.
 */
export function withTimeLimit(signal: AbortSignal, limitMs: number): AbortSignal {
  const deadline = AbortSignal.timeout(limitMs)
  deadline.addEventListener('abort', () => undefined, { once: true })
  return AbortSignal.any([signal, deadline])
}
