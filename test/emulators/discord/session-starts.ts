import type { EmulatorClock } from '../slack/emulator-clock.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import type { JsonObject } from './json.ts'

/** Counts how many sessions were started. Discord documents the limits in events/gateway, "Identifying" and "Max Concurrency". */
export class SessionStarts {
  readonly #clock: EmulatorClock
  readonly #all: number[] = []
  readonly #ofKey = new Map<number, number[]>()

  constructor(clock: EmulatorClock) {
    this.#clock = clock
  }

  /** Returns the number of session starts so far. */
  total(): number {
    return this.#all.length
  }

  /**
   * Counts a session start. Returns `too_soon` less than 5 s after another start with the same key, and does not count it. Returns `too_many`
   * above the daily limit.
   */
  count(shard: number): 'counted' | 'too_soon' | 'too_many' {
    const now = this.#clock.now()
    const { concurrency, windowMs } = DISCORD_LIMITS.identify
    const key = shard % concurrency
    const recent = (this.#ofKey.get(key) ?? []).filter(at => at > now - windowMs)
    if (recent.length >= concurrency) return 'too_soon'
    this.#ofKey.set(key, [...recent, now])
    this.#all.push(now)
    return this.#today().length > DISCORD_LIMITS.sessionStarts.total ? 'too_many' : 'counted'
  }

  /** Returns the part of `GET /gateway/bot` that Discord calls "Session Start Limit Object". */
  limit(): JsonObject {
    const { total, windowMs } = DISCORD_LIMITS.sessionStarts
    const recent = this.#today()
    return {
      total,
      remaining: Math.max(0, total - recent.length),
      reset_after: recent[0] === undefined ? 0 : recent[0] + windowMs - this.#clock.now(),
      max_concurrency: DISCORD_LIMITS.identify.concurrency,
    }
  }

  #today(): readonly number[] {
    const since = this.#clock.now() - DISCORD_LIMITS.sessionStarts.windowMs
    return this.#all.filter(at => at > since)
  }
}
