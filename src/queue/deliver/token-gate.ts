import type { Logger } from '../../base/logger.ts'
import { DELIVERY_LIMITS } from '../limits.ts'

/**
 * Learns from the requests of this process whether a platform accepts our token. After a refusal, only one request per
 * `tokenWaitMs` is let through, even if many threads wait.
 */
export class TokenGate {
  readonly #platform: string
  readonly #now: () => number
  readonly #logger: Logger
  #refusedUntil: number | undefined

  constructor(deps: { readonly platform: string; readonly now: () => number; readonly logger: Logger }) {
    this.#platform = deps.platform
    this.#now = deps.now
    this.#logger = deps.logger
  }

  /** Whether requests are let through. The readiness check asks this. */
  isOpen(): boolean {
    return this.#refusedUntil === undefined
  }

  mayAsk(): boolean {
    if (this.#refusedUntil === undefined) return true
    if (this.#now() < this.#refusedUntil) return false
    this.#refusedUntil = this.#now() + DELIVERY_LIMITS.tokenWaitMs
    return true
  }

  noteRefused(reason: string): void {
    if (this.isOpen()) {
      const fields = { platform: this.#platform, error: reason }
      this.#logger.fatal(fields, 'chat platform refuses our token: messages wait until it is replaced')
    }
    this.#refusedUntil = this.#now() + DELIVERY_LIMITS.tokenWaitMs
  }

  noteTaken(): void {
    if (!this.isOpen()) this.#logger.warn({ platform: this.#platform }, 'chat platform takes our token again')
    this.#refusedUntil = undefined
  }
}
