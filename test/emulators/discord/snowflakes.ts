/** reference, "Snowflakes": the first second of 2015. */
const EPOCH_MS = 1_420_070_400_000

/** Makes ids that carry the time, each greater than all before. */
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

/** Unix time in milliseconds at which an id was made. */
export function snowflakeTime(id: string): number {
  return Number(BigInt(id) >> 22n) + EPOCH_MS
}
