import type { EmulatorClock } from '../slack/emulator-clock.ts'
import type { DISCORD_LIMITS } from './discord-limits.ts'

export type BucketName = keyof typeof DISCORD_LIMITS.buckets

interface Rate {
  readonly requests: number
  readonly windowMs: number
}

interface Window {
  readonly endsAt: number
  used: number
}

/** The state of the rate limit that applies to a request. */
export interface BucketState {
  readonly limit: number
  readonly remaining: number
  /** The time until the present window of the rate limit ends. */
  readonly resetAfterMs: number
  readonly resetAt: number
  readonly isExceeded: boolean
}

/** Rate limits with fixed windows on the emulator's clock, one for each key. Discord documents them in topics/rate-limits. */
export class RateLimits {
  readonly #clock: EmulatorClock
  readonly #windows = new Map<string, Window>()

  constructor(clock: EmulatorClock) {
    this.#clock = clock
  }

  /** Counts a request for the rate limit of `key`. A request above the limit does not count. */
  take(key: string, rate: Rate): BucketState {
    const now = this.#clock.now()
    const current = this.#windows.get(key)
    const window = current === undefined || current.endsAt <= now ? { endsAt: now + rate.windowMs, used: 0 } : current
    const isExceeded = window.used >= rate.requests
    if (!isExceeded) window.used += 1
    this.#windows.set(key, window)
    return {
      limit: rate.requests,
      remaining: rate.requests - window.used,
      resetAfterMs: window.endsAt - now,
      resetAt: window.endsAt,
      isExceeded,
    }
  }

  /** Whether the rate limit of `key` is used up. Does not count a request. */
  isExhausted(key: string, rate: Rate): boolean {
    const window = this.#windows.get(key)
    return window !== undefined && window.endsAt > this.#clock.now() && window.used >= rate.requests
  }
}
