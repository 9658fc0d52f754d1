/** A timer that has not run yet. `cancel` may be called at any time, even twice. */
export interface ScheduledTask {
  cancel(): void
}

interface Timer {
  readonly due: number
  readonly run: () => void
  handle: NodeJS.Timeout | undefined
}

/**
 * The emulator's clock. All its time limits use it: acknowledgement, redelivery, rate limits, planned delays. Instead of sleeping, tests jump
 * ahead with `advance`. A `running` clock also follows real time. A `stopped` clock moves only by `advance`, for exact times. With both, a task
 * that is due now runs at once.
 */
export class EmulatorClock {
  readonly #timers = new Set<Timer>()
  readonly #startedAt = Date.now()
  readonly #isRunning: boolean
  #ahead = 0

  constructor(mode: 'running' | 'stopped') {
    this.#isRunning = mode === 'running'
  }

  /** Unix time in milliseconds. */
  now(): number {
    return (this.#isRunning ? Date.now() : this.#startedAt) + this.#ahead
  }

  /** Milliseconds since the emulator started. */
  elapsed(): number {
    return this.now() - this.#startedAt
  }

  schedule(delayMs: number, run: () => void): ScheduledTask {
    const timer: Timer = { due: this.now() + delayMs, run, handle: undefined }
    this.#timers.add(timer)
    this.#arm(timer)
    return { cancel: () => this.#drop(timer) }
  }

  /** Moves the clock forward. Timers that become due run before this function returns, in the order of their times. */
  advance(milliseconds: number): void {
    const target = this.now() + milliseconds
    for (let next = this.#nextDue(target); next !== undefined; next = this.#nextDue(target)) {
      this.#ahead += Math.max(0, next.due - this.now())
      this.#drop(next)
      next.run()
    }
    this.#ahead += Math.max(0, target - this.now())
    for (const timer of this.#timers) this.#arm(timer)
  }

  /** Returns the number of timers that have not run yet. */
  waiting(): number {
    return this.#timers.size
  }

  close(): void {
    for (const timer of [...this.#timers]) this.#drop(timer)
  }

  #nextDue(target: number): Timer | undefined {
    return [...this.#timers].filter(timer => timer.due <= target).sort((first, second) => first.due - second.due)[0]
  }

  #arm(timer: Timer): void {
    clearTimeout(timer.handle)
    const wait = timer.due - this.now()
    if (!this.#isRunning && wait > 0) return
    timer.handle = setTimeout(() => {
      this.#drop(timer)
      timer.run()
    }, wait).unref()
  }

  #drop(timer: Timer): void {
    clearTimeout(timer.handle)
    this.#timers.delete(timer)
  }
}
