/** Numbers in ascending order, without NULL and NaN. */
export class ColumnFacts {
  readonly sorted: Float64Array

  constructor(values: Float64Array) {
    this.sorted = values.filter(Number.isFinite).sort()
  }

  /** Whether a number lies between the two, or is one of them. */
  hasWithin(low: number, high: number): boolean {
    return (this.sorted[this.#countBelow(low)] ?? Number.NaN) <= high
  }

  /** Returns the number that is nearest to the given value. NaN without numbers. */
  nearestTo(value: number): number {
    const at = this.#countBelow(value)
    const above = this.sorted[at] ?? Number.NaN
    const below = this.sorted[at - 1] ?? Number.NaN
    if (Number.isNaN(above)) return below
    return value - below < above - value ? below : above
  }

  #countBelow(limit: number): number {
    let low = 0
    let high = this.sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.sorted[middle] ?? Number.NaN) < limit) low = middle + 1
      else high = middle
    }
    return low
  }
}
