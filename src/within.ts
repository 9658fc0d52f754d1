/**
 * The signal, or a time limit of so many milliseconds, whichever ends first. Node 20 forgets the timer of an `AbortSignal.timeout` that nobody but
 * `AbortSignal.any` refers to with the next garbage collection, and the limit never comes: a listener of its own keeps it.
 */
export function within(signal: AbortSignal, limitMs: number): AbortSignal {
  const deadline = AbortSignal.timeout(limitMs)
  deadline.addEventListener('abort', () => undefined, { once: true })
  return AbortSignal.any([signal, deadline])
}
