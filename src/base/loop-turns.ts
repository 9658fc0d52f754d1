import { BASE_LIMITS } from './limits.ts'

interface Waiting {
  readonly run: number
  readonly goOn: () => void
}

/**
 * Callers that wait for their turn of the event loop. The person who has used the loop least goes first, and of that person's runs
 * the oldest. So a person with light questions does not wait for heavy ones of others, and the heavy runs of one person are done
 * one after the other instead of all being half done. This is the schedule of "least attained service".
 */
export class LoopTurns {
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #usedMs = new Map<string, number>()
  readonly #now: () => number
  #halvedAt: number

  constructor(now: () => number = performance.now.bind(performance)) {
    this.#now = now
    this.#halvedAt = now()
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  add(person: string, run: number, goOn: () => void): void {
    const own = this.#waiting.get(person) ?? []
    let at = own.length
    while (at > 0 && (own[at - 1]?.run ?? 0) > run) at--
    own.splice(at, 0, { run, goOn })
    this.#waiting.set(person, own)
  }

  /** Returns the next caller, and whose time it uses. People who have used the loop alike take turns. */
  next(): { readonly person: string; readonly goOn: () => void } | undefined {
    this.#forget()
    let first: { person: string; used: number } | undefined
    for (const person of this.#waiting.keys()) {
      const used = this.#usedMs.get(person) ?? 0
      if (first === undefined || used < first.used) first = { person, used }
    }
    if (first === undefined) return undefined
    const { person } = first
    const own = this.#waiting.get(person) ?? []
    const goOn = own.shift()?.goOn
    this.#waiting.delete(person)
    if (own.length > 0) this.#waiting.set(person, own)
    return goOn && { person, goOn }
  }

  /** Counts time of the event loop that a person has used. */
  use(person: string, ms: number): void {
    this.#usedMs.set(person, (this.#usedMs.get(person) ?? 0) + ms)
  }

  /** Halves what people have used, at intervals, so that heavy work counts for a while only. */
  #forget(): void {
    if (this.#now() - this.#halvedAt < BASE_LIMITS.usedHalfLifeMs) return
    this.#halvedAt = this.#now()
    for (const [person, used] of this.#usedMs) {
      if (used < 1) this.#usedMs.delete(person)
      else this.#usedMs.set(person, used / 2)
    }
  }
}
