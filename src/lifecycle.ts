import { doneWithin } from './done-within.ts'
import type { Logger } from './logger.ts'

/** Chosen: what closing one part may take. Parts that give their work a grace name a longer time. */
const CLOSE_LIMIT_MS = 5_000
/** Chosen: what may still be under way when every part is closed, as the last words of a connection. */
const LINGER_MS = 5_000
/** Chosen: Ctrl-C reaches a process twice where npm passes it on that the terminal has sent to all, within some ten milliseconds. */
const SAME_SIGNAL_MS = 1_000

interface OpenedPart {
  readonly name: string
  readonly limitMs: number
  readonly close: () => Promise<void> | void
}

/** What a process has opened, closed last in, first out. */
export class Resources {
  readonly #opened: OpenedPart[] = []

  /** Registers what was opened and returns it. `limitMs`: what closing it may take. */
  add<T>(name: string, value: T, close: (value: T) => Promise<void> | void, limitMs = CLOSE_LIMIT_MS): T {
    this.#opened.push({ name, limitMs, close: () => close(value) })
    return value
  }

  /** Closes everything once. One that fails to close, or not in time, is logged and left, and does not keep the others open. */
  async close(logger: Logger): Promise<void> {
    for (let next = this.#opened.pop(); next !== undefined; next = this.#opened.pop()) await closePart(next, logger)
  }
}

async function closePart({ name: part, limitMs, close }: OpenedPart, logger: Logger): Promise<void> {
  try {
    if (!(await doneWithin(limitMs, Promise.resolve(close()))))
      logger.warn({ part, limitMs }, 'a part did not close in time; it is left')
  } catch (error) {
    logger.warn({ err: error, part }, 'a part did not close cleanly')
  }
}

/**
 * Aborts at the first SIGTERM or SIGINT; `dispose` stops listening. A later one ends the process at once, as if nobody listened.
 * @param againMs what comes sooner after the first is the first once more
 */
export function shutdownSignal(againMs = SAME_SIGNAL_MS): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController()
  let toldAt = 0
  const stop = (name: NodeJS.Signals) => {
    if (!controller.signal.aborted) {
      toldAt = performance.now()
      return controller.abort(name)
    }
    if (performance.now() - toldAt < againMs) return
    dispose()
    process.kill(process.pid, name)
  }
  const dispose = () => {
    process.removeListener('SIGTERM', stop)
    process.removeListener('SIGINT', stop)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  return { signal: controller.signal, dispose }
}

/**
 * Waits for work, but when it is told to stop no longer than so long after that.
 * @throws the signal's reason when the work has not ended by then; what it comes to is not heard
 */
export async function endedAfter<T>(signal: AbortSignal, limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let stop = (): void => undefined
  const overdue = new Promise<never>((_, reject) => {
    stop = () => {
      timer = setTimeout(() => reject(signal.reason), limitMs)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, overdue])
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(timer)
  }
}

/**
 * Ends the process, with the exit status that is set by then, where something that nobody has closed holds it up. Called when all is closed; a process that
 * nothing holds ends before, by itself.
 */
export function endSoon(logger: Logger, lingerMs = LINGER_MS): void {
  const timer = setTimeout(() => {
    logger.warn({ active: process.getActiveResourcesInfo() }, 'something is still open; the process ends without it')
    process.exit()
  }, lingerMs)
  timer.unref()
}
