import { setTimeout as wait } from 'node:timers/promises'

/**
 * Does some work again and again until the signal aborts, with a pause before each time. A failure is told, and the work is done
 * again after the next pause.
 * @param work gets the signal; what it throws after the abort is not told
 */
export async function repeat(
  work: (signal: AbortSignal) => Promise<unknown>,
  { everyMs, onError }: { readonly everyMs: number; readonly onError: (error: unknown) => void },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await wait(everyMs, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await work(signal).catch((error: unknown) => signal.aborted || onError(error))
  }
}
