import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Counts who needs the engine. A lease is an open response: it ends when its holder closes it or dies. `onUnused` runs once: `leaseGraceMs` after the
 * last lease ends, or if nobody takes one within `firstLeaseMs`.
 */
export class LeaseDesk {
  readonly #options: { readonly leaseGraceMs: number; readonly firstLeaseMs: number; readonly onUnused: () => void }
  #held = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: { readonly leaseGraceMs: number; readonly firstLeaseMs: number; readonly onUnused: () => void }) {
    this.#options = options
  }

  open(): void {
    this.#endAfter(this.#options.firstLeaseMs)
  }

  /** Sends headers and one line, and keeps the response open. Always true, since it has answered. */
  grant(_request: IncomingMessage, response: ServerResponse): true {
    clearTimeout(this.#timer)
    this.#held += 1
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' })
    response.write('held\n')
    response.once('close', () => {
      this.#held -= 1
      if (this.#held === 0) this.#endAfter(this.#options.leaseGraceMs)
    })
    return true
  }

  #endAfter(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#options.onUnused, milliseconds)
  }
}
