import { EngineFailure, FAILURE_CODES } from './engine-failure.ts'

/** So many at a time, the rest in order of arrival, and no more than `queue` of those (any number when absent). */
export class QuerySlots {
  readonly #waiting: (() => void)[] = []
  readonly #size: number
  readonly #queue: number
  #busy = 0

  constructor(options: { readonly size: number; readonly queue?: number }) {
    this.#size = options.size
    this.#queue = options.queue ?? Number.POSITIVE_INFINITY
  }

  /** @throws EngineFailure 202 when the queue is full, 394 when aborted while waiting. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal)
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#busy -= 1
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new EngineFailure(FAILURE_CODES.cancelled, 'Query was cancelled')
    if (this.#busy < this.#size) {
      this.#busy += 1
      return
    }
    if (this.#waiting.length >= this.#queue) {
      throw new EngineFailure(
        FAILURE_CODES.tooManySimultaneousQueries,
        `Too many simultaneous queries. Maximum: ${this.#size} running and ${this.#queue} waiting`,
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
