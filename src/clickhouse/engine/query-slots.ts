import { Places } from '../../base/places.ts'
import { personAtHand } from '../../base/watched-work.ts'
import { EngineFailure, FAILURE_CODES } from './failure.ts'

export interface QuerySlotsOptions {
  readonly size: number
  /** The maximum number of waiting queries. Default: any number. */
  readonly queue?: number
  /** The maximum number of slots for the queries of one person. Default: half of all slots. */
  readonly ofOne?: number
  /**
   * A query that runs longer than `afterMs` moves to one of `size` extra slots, as soon as one is free. Its first slot is then
   * free for others.
   */
  readonly slow?: { readonly afterMs: number; readonly size: number; readonly ofOne?: number }
}

/** Slots of one kind. A person takes a further one only while more are free than the person has, so one is left for the next. */
class Slots extends Places {
  constructor(size: number, ofOne = size) {
    super({ all: size, ofOne: Math.max(1, Math.floor(ofOne)) })
  }

  /** Work that belongs to no person has the name '' and may take all slots. */
  override isFreeFor(person: string): boolean {
    const own = this.heldBy(person)
    return this.free > 0 && (person === '' || own === 0 || (own < this.free && super.isFreeFor(person)))
  }
}

/**
 * Runs a limited number of queries at a time; further queries wait. Waiting people take turns. The queries of one person run in
 * the order of their arrival.
 */
export class QuerySlots {
  readonly #options: QuerySlotsOptions
  readonly #slots: Slots
  readonly #slow: Slots

  constructor(options: QuerySlotsOptions) {
    this.#options = options
    this.#slots = new Slots(options.size, options.ofOne)
    this.#slow = new Slots(options.slow?.size ?? 0, options.slow?.ofOne)
  }

  /**
   * Waits for a slot and runs the work in it.
   * @param person the person whose query it is; '' for work that belongs to no person
   * @throws EngineFailure 202 if the queue is full, 394 if aborted while waiting
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>, person = personAtHand()): Promise<T> {
    let leave = await this.#enter(person, signal)
    const { slow } = this.#options
    let isSlow = false
    const timer =
      slow &&
      setInterval(() => {
        const leaveSlow = isSlow ? undefined : this.#slow.take(person)
        if (leaveSlow === undefined) return
        isSlow = true
        leave()
        leave = leaveSlow
      }, slow.afterMs)
    try {
      return await work()
    } finally {
      clearInterval(timer)
      leave()
    }
  }

  async #enter(person: string, signal: AbortSignal): Promise<() => void> {
    const { size, queue = Number.POSITIVE_INFINITY } = this.#options
    if (signal.aborted) throw new EngineFailure(FAILURE_CODES.cancelled, 'Query was cancelled')
    const leave = this.#slots.take(person)
    if (leave !== undefined) return leave
    if (this.#slots.waiting >= queue) {
      throw new EngineFailure(
        FAILURE_CODES.tooManySimultaneousQueries,
        `Too many simultaneous queries. Maximum: ${size} running and ${queue} waiting`,
      )
    }
    return this.#slots.wait(person, signal).catch(() => {
      throw new EngineFailure(FAILURE_CODES.cancelled, 'Query was cancelled')
    })
  }
}
