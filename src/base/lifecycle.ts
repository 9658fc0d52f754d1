import { setMaxListeners } from 'node:events'
import { doneWithin } from './done-within.ts'
import { errorCode } from './errors.ts'
import { BASE_LIMITS } from './limits.ts'
import type { Logger } from './logger.ts'

interface OpenedPart {
  readonly name: string
  readonly limitMs: number
  readonly close: () => Promise<void> | void
}

/** The resources of a process. They are closed in reverse order. */
export class Resources {
  readonly #opened: OpenedPart[] = []

  /** Registers a resource and returns it. `limitMs` is the time limit of `close`. */
  add<T>(name: string, value: T, close: (value: T) => Promise<void> | void, limitMs: number = BASE_LIMITS.closeMs): T {
    this.#opened.push({ name, limitMs, close: () => close(value) })
    return value
  }

  /** Closes all resources, each once. If a close fails or is slow, it is logged, and the other resources are closed anyway. */
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

/** The reason of a stop because nobody reads the output any more, as behind `| head`. */
export const OUTPUT_CLOSED = 'EPIPE'

/**
 * Returns a signal that aborts at the first SIGTERM or SIGINT, and if the output is closed. `dispose` stops listening. A later signal ends the process at
 * once, as Node does by default.
 * @param againMs a second signal within this time is ignored, because one Ctrl-C may arrive twice
 */
export function shutdownSignal(againMs: number = BASE_LIMITS.sameSignalMs): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController()
  // All concurrent work listens to this signal. With more than ten listeners, Node would warn of a leak.
  setMaxListeners(0, controller.signal)
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
  const stopIfClosed = (error: Error) => {
    if (errorCode(error) === OUTPUT_CLOSED) controller.abort(OUTPUT_CLOSED)
  }
  const outputs = [process.stdout, process.stderr]
  const dispose = () => {
    process.removeListener('SIGTERM', stop)
    process.removeListener('SIGINT', stop)
    for (const output of outputs) output.removeListener('error', stopIfClosed)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  for (const output of outputs) output.on('error', stopIfClosed)
  return { signal: controller.signal, dispose }
}

/**
 * Waits for work. After an abort, waits at most `limitMs` longer.
 * @throws the signal's reason if the work has not ended by then
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

/** Ends the process with its exit code, even if an open handle would keep it alive. Call this after all resources are closed. */
export function endSoon(logger: Logger, lingerMs: number = BASE_LIMITS.lingerMs): void {
  const timer = setTimeout(() => {
    logger.warn({ active: process.getActiveResourcesInfo() }, 'something is still open; the process ends without it')
    process.exit()
  }, lingerMs)
  timer.unref()
}
