import { HeldPlaces } from '../../base/held-places.ts'
import { TurnsOfPeople } from '../../base/turns-of-people.ts'
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
class Slots extends HeldPlaces {
  readonly #size: number
  readonly #mostOfOne: number

  constructor(size: number, ofOne = size) {
    super()
    this.#size = size
    this.#mostOfOne = Math.max(1, Math.floor(ofOne))
  }

  /** Whether this person may take a slot now. Work that belongs to no person has the name '' and may take all slots. */
  isFreeFor(person: string): boolean {
    const free = this.#size - this.taken
    const own = this.of(person)
    return free > 0 && (person === '' || own === 0 || (own < free && own < this.#mostOfOne))
  }
}

/**
 * Runs a limited number of queries at a time; further queries wait. Waiting people take turns. The queries of one person run in
 * the order of their arrival.
 */
export class QuerySlots {
  readonly #waiting = new TurnsOfPeople<() => void>()
  readonly #options: QuerySlotsOptions
  readonly #slots: Slots
  readonly #slow: Slots
  #queued = 0

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
    await this.#enter(person, signal)
    const { slow } = this.#options
    let isSlow = false
    const timer =
      slow &&
      setInterval(() => {
        if (isSlow || !this.#slow.isFreeFor(person)) return
        isSlow = true
        this.#slow.take(person)
        this.#leave(person)
      }, slow.afterMs)
    try {
      return await work()
    } finally {
      clearInterval(timer)
      if (isSlow) this.#slow.give(person)
      else this.#leave(person)
    }
  }

  #leave(person: string): void {
    this.#slots.give(person)
    this.#waiting.next(other => this.#slots.isFreeFor(other))?.()
  }

  async #enter(person: string, signal: AbortSignal): Promise<void> {
    const { size, queue = Number.POSITIVE_INFINITY } = this.#options
    if (signal.aborted) throw new EngineFailure(FAILURE_CODES.cancelled, 'Query was cancelled')
    if (this.#slots.isFreeFor(person)) {
      this.#slots.take(person)
      return
    }
    if (this.#queued >= queue) {
      throw new EngineFailure(
        FAILURE_CODES.tooManySimultaneousQueries,
        `Too many simultaneous queries. Maximum: ${size} running and ${queue} waiting`,
      )
    }
    this.#queued += 1
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        this.#queued -= 1
        // Takes the slot at the very moment when it becomes free, so that no other query can take it in between.
        this.#slots.take(person)
        resolve()
      }
      const leave = () => {
        this.#waiting.remove(person, enter)
        this.#queued -= 1
        reject(new EngineFailure(FAILURE_CODES.cancelled, 'Query was cancelled'))
      }
      this.#waiting.add(person, enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
