import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Who still needs the engine. A lease is a response that stays open: it ends when its holder closes it or dies, however it dies.
 * `onUnused` is called once, `leaseGraceMs` after the last lease ended, or when none was taken within `firstLeaseMs`.
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

  /** Answers with headers and one line, and keeps the response open. Always true: it has answered. */
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
