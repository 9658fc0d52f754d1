import { performance } from 'node:perf_hooks'
import { HeldPlaces } from '../base/held-places.ts'
import { TurnsOfPeople } from '../base/turns-of-people.ts'
import { QUEUE_LIMITS } from './limits.ts'

/**
 * Limits how many runs are under way, so that each gets enough time of the event loop. Work in slices goes to whoever has used the
 * loop least, but many runs also have many small steps that are not slices. While the loop is busy, `startsOfBusy` runs are under
 * way, and one of each person who has no other. When it ends, that person's next one starts. Otherwise people take turns. Runs that
 * wait for a model leave the loop idle, and then more runs start.
 */
export class PacedStarts {
  readonly #running = new HeldPlaces()
  readonly #waiting = new TurnsOfPeople<() => void>()
  #timer: NodeJS.Timeout | undefined

  /** Does the work as soon as it may start. Returns or throws the same as `work`. */
  async during<Value>(person: string, work: () => Promise<Value>): Promise<Value> {
    if (this.#mayStart(person) && !this.#waiting.has(person)) this.#running.take(person)
    else await new Promise<void>(resolve => this.#waitFor(person, resolve))
    try {
      return await work()
    } finally {
      this.#running.give(person)
      this.#startAfter(person)
    }
  }

  #mayStart(person: string): boolean {
    return this.#hasRoom() || this.#running.of(person) === 0
  }

  /** Starts the next run after one of this person has ended. */
  #startAfter(person: string): void {
    const own = this.#running.of(person) > 0 ? undefined : this.#waiting.nextOf(person)
    if (own !== undefined) own()
    else if (this.#hasRoom()) this.#startNext()
  }

  #hasRoom(): boolean {
    return this.#running.taken < QUEUE_LIMITS.startsOfBusy
  }

  #waitFor(person: string, start: () => void): void {
    this.#waiting.add(person, () => {
      // The run counts from this moment, so that no other run takes its place.
      this.#running.take(person)
      start()
    })
    this.#watchLoop()
  }

  #startNext(): void {
    this.#waiting.next()?.()
  }

  /** While work waits, checks how busy the loop is. If the loop was idle for long enough, starts more work. */
  #watchLoop(): void {
    if (this.#timer !== undefined || this.#waiting.isEmpty) return
    const before = performance.eventLoopUtilization()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (performance.eventLoopUtilization(before).utilization < QUEUE_LIMITS.busyShare) this.#startNext()
      this.#watchLoop()
    }, QUEUE_LIMITS.startPauseMs)
  }
}
