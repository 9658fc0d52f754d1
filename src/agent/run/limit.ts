import { RunError } from './error.ts'

/** The time limit of a run. The time in which a person thinks is not counted. */
export class RunLimit {
  readonly #controller = new AbortController()
  readonly #limitMs: number
  #leftMs: number
  #startedAt = 0
  #timer: NodeJS.Timeout | undefined
  #waiting = 0

  constructor(limitMs: number) {
    this.#limitMs = limitMs
    this.#leftMs = limitMs
    this.#start()
  }

  /** Aborts with a RunError when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The time used so far, in milliseconds, without the time in which the clock was stopped. */
  get spentMs(): number {
    const leftMs = this.#waiting > 0 ? this.#leftMs : this.#leftMs - (performance.now() - this.#startedAt)
    return this.#limitMs - leftMs
  }

  /** Stops the clock until the promise settles. Several calls may overlap. */
  async standStillFor<T>(answer: Promise<T>): Promise<T> {
    this.#waiting++
    if (this.#waiting === 1) this.#stop()
    try {
      return await answer
    } finally {
      this.#waiting--
      if (this.#waiting === 0) this.#start()
    }
  }

  close(): void {
    this.#waiting = Number.POSITIVE_INFINITY
    clearTimeout(this.#timer)
  }

  #start(): void {
    this.#startedAt = performance.now()
    this.#timer = setTimeout(() => this.#controller.abort(RunError.timedOut(this.#limitMs)), this.#leftMs).unref()
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#leftMs -= performance.now() - this.#startedAt
  }
}
