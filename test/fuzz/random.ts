/** A source of random numbers with a seed. Query n of a seed is the same on every machine and in every run. */
export class Random {
  #state: number

  constructor(seed: number, index: number) {
    // The algorithm is splitmix. With it, even neighbouring seeds and indexes give unrelated numbers.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)
    for (let round = 0; round < 4; round += 1) this.next()
  }

  /** Returns a number from 0 up to, but not including, 1. The algorithm is mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
  }

  /** Returns a whole number from 0 up to, but not including, `below`. */
  int(below: number): number {
    return Math.floor(this.next() * below)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** @throws Error for an empty list */
  pick<T>(items: readonly T[]): T {
    const index = this.int(items.length)
    if (index >= items.length) throw new Error('nothing to pick from')
    return items[index] as T
  }

  /** Picks one of the choices at random. A choice with a higher weight is picked more often. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let rest = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, choice] of choices) {
      rest -= weight
      if (rest < 0) return choice
    }
    return this.pick(choices)[1]
  }

  /** Calls `make` `count` times, and returns the results in order. */
  times<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => make(index))
  }
}
