/** The first second of 2015. Discord counts the time in ids from here (reference, "Snowflakes"). */
const EPOCH_MS = 1_420_070_400_000

/** Makes ids as Discord does. Each contains the time, and later ids are larger. */
export class Snowflakes {
  readonly #now: () => number
  #last = 0n

  constructor(now: () => number) {
    this.#now = now
  }

  next(): string {
    const earliest = BigInt(Math.trunc(this.#now()) - EPOCH_MS) << 22n
    this.#last = earliest > this.#last ? earliest : this.#last + 1n
    return String(this.#last)
  }
}

/** Returns the Unix time in milliseconds that an id contains. */
export function snowflakeTime(id: string): number {
  return Number(BigInt(id) >> 22n) + EPOCH_MS
}
