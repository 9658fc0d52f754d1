import type { EmulatorClock } from './emulator-clock.ts'

interface Bucket {
  tokens: number
  at: number
}

/** Rate limits on the emulator's clock. Each key has a token bucket: it refills steadily and allows short bursts. */
export class RateLimiter {
  readonly #clock: EmulatorClock
  readonly #buckets = new Map<string, Bucket>()

  constructor(clock: EmulatorClock) {
    this.#clock = clock
  }

  /**
   * Takes one token from the bucket of `key`.
   * @returns undefined if there was one; otherwise the whole seconds until the next one (the value of `Retry-After`)
   */
  take(key: string, limit: { readonly perSecond: number; readonly burst: number }): number | undefined {
    const now = this.#clock.now()
    const bucket = this.#buckets.get(key) ?? { tokens: limit.burst, at: now }
    const tokens = Math.min(limit.burst, bucket.tokens + ((now - bucket.at) / 1000) * limit.perSecond)
    if (tokens < 1) {
      this.#buckets.set(key, { tokens, at: now })
      return Math.max(1, Math.ceil((1 - tokens) / limit.perSecond))
    }
    this.#buckets.set(key, { tokens: tokens - 1, at: now })
    return undefined
  }
}
