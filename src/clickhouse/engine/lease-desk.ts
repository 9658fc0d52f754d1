import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Counts the clients that need the engine. A lease is an HTTP response that stays open until its holder closes it or dies. `onUnused` runs when no
 * lease has been held for `leaseGraceMs`, or if nobody takes a lease within `firstLeaseMs` of the start.
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

  /** Grants a lease: sends headers and one line, and keeps the response open. Returns true, since the request is answered. */
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
