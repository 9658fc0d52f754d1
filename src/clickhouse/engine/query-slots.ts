import { EngineFailure, FAILURE_CODES } from './failure.ts'

export interface QuerySlotsOptions {
  readonly size: number
  /** The maximum number of queries that wait. If absent, any number may wait. */
  readonly queue?: number
  /** A query that runs longer than `afterMs` moves to one of `size` extra slots, if one is free. This frees its first slot. */
  readonly slow?: { readonly afterMs: number; readonly size: number }
}

/** Runs a limited number of queries at a time. Further queries wait and run in the order of their arrival. */
export class QuerySlots {
  readonly #waiting: (() => void)[] = []
  readonly #options: QuerySlotsOptions
  #busy = 0
  #slow = 0

  constructor(options: QuerySlotsOptions) {
    this.#options = options
  }

  /**
   * Waits for a slot and runs the work in it.
   * @throws EngineFailure 202 if the queue is full, 394 if aborted while waiting
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal)
    const { slow } = this.#options
    let isSlow = false
    const timer =
      slow &&
      setInterval(() => {
        if (isSlow || this.#slow >= slow.size) return
        isSlow = true
        this.#slow += 1
        this.#leave()
      }, slow.afterMs)
    try {
      return await work()
    } finally {
      clearInterval(timer)
      if (isSlow) this.#slow -= 1
      else this.#leave()
    }
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#busy -= 1
  }

  async #enter(signal: AbortSignal): Promise<void> {
    const { size, queue = Number.POSITIVE_INFINITY } = this.#options
    if (signal.aborted) throw new EngineFailure(FAILURE_CODES.cancelled, 'Query was cancelled')
    if (this.#busy < size) {
      this.#busy += 1
      return
    }
    if (this.#waiting.length >= queue) {
      throw new EngineFailure(
        FAILURE_CODES.tooManySimultaneousQueries,
        `Too many simultaneous queries. Maximum: ${size} running and ${queue} waiting`,
      )
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(new EngineFailure(FAILURE_CODES.cancelled, 'Query was cancelled'))
      }
      this.#waiting.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
