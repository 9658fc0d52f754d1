/** A timer that has not fired; `cancel` is safe to call at any time. */
export interface ScheduledTask {
  cancel(): void
}

interface Timer {
  readonly due: number
  readonly run: () => void
  handle: NodeJS.Timeout
}

/**
 * The emulator's time: it runs as real time does, and a test may jump ahead with `advance` instead of sleeping.
 * Every deadline of the emulator (acknowledgement, redelivery, rate limits, injected delays) is measured on it.
 */
export class EmulatorClock {
  readonly #startedAt = Date.now()
  readonly #timers = new Set<Timer>()
  #ahead = 0

  /** Unix time in milliseconds. */
  now(): number {
    return Date.now() + this.#ahead
  }

  /** Milliseconds since the emulator started. */
  elapsed(): number {
    return this.now() - this.#startedAt
  }

  schedule(delayMs: number, run: () => void): ScheduledTask {
    const timer: Timer = { due: this.now() + delayMs, run, handle: setTimeout(() => this.#fire(timer), delayMs).unref() }
    this.#timers.add(timer)
    return { cancel: () => this.#drop(timer) }
  }

  /** Jumps `milliseconds` ahead; whatever falls due on the way runs at its time and in order, before this returns. */
  advance(milliseconds: number): void {
    const target = this.now() + milliseconds
    for (let next = this.#nextDue(target); next !== undefined; next = this.#nextDue(target)) {
      this.#ahead += Math.max(0, next.due - this.now())
      this.#fire(next)
    }
    this.#ahead += Math.max(0, target - this.now())
    for (const timer of this.#timers) {
      clearTimeout(timer.handle)
      timer.handle = setTimeout(() => this.#fire(timer), Math.max(0, timer.due - this.now())).unref()
    }
  }

  close(): void {
    for (const timer of [...this.#timers]) this.#drop(timer)
  }

  #nextDue(target: number): Timer | undefined {
    return [...this.#timers].filter(timer => timer.due <= target).sort((first, second) => first.due - second.due)[0]
  }

  #fire(timer: Timer): void {
    this.#drop(timer)
    timer.run()
  }

  #drop(timer: Timer): void {
    clearTimeout(timer.handle)
    this.#timers.delete(timer)
  }
}
