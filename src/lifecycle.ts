import type { Logger } from './logger.ts'

/** What a process has opened, closed last in, first out. */
export class Resources {
  readonly #opened: { readonly name: string; readonly close: () => Promise<void> | void }[] = []

  /** Registers what was opened and returns it. */
  add<T>(name: string, value: T, close: (value: T) => Promise<void> | void): T {
    this.#opened.push({ name, close: () => close(value) })
    return value
  }

  /** Closes everything once. One that fails to close is logged and does not keep the others open. */
  async close(logger: Logger): Promise<void> {
    for (let next = this.#opened.pop(); next !== undefined; next = this.#opened.pop()) {
      try {
        await next.close()
      } catch (error) {
        logger.warn({ err: error, part: next.name }, 'a part did not close cleanly')
      }
    }
  }
}

/** Aborts at the first SIGTERM or SIGINT; `dispose` stops listening. */
export function shutdownSignal(): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController()
  const stop = (name: NodeJS.Signals) => controller.abort(name)
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  return {
    signal: controller.signal,
    dispose: () => {
      process.removeListener('SIGTERM', stop)
      process.removeListener('SIGINT', stop)
    },
  }
}
