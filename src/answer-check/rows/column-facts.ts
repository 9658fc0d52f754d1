/** The statistics of a column of numbers, computed once. Cells with NULL and NaN are left out. */
export class ColumnFacts {
  /** In ascending order. */
  readonly sorted: Float64Array
  /** The number of cells without a number. */
  readonly missing: number

  constructor(values: Float64Array) {
    this.sorted = values.filter(Number.isFinite).sort()
    this.missing = values.length - this.sorted.length
  }

  hasWithin(low: number, high: number): boolean {
    const at = this.countBelow(low)
    return at < this.sorted.length && (this.sorted[at] ?? Number.NaN) <= high
  }

  countBelow(limit: number): number {
    return this.#count(value => value < limit)
  }

  countUpTo(limit: number): number {
    return this.#count(value => value <= limit)
  }

  /** Returns the value of the column that is nearest to the given value. NaN if the column has no values. */
  nearestTo(value: number): number {
    const at = this.countBelow(value)
    const above = this.sorted[at] ?? Number.NaN
    const below = this.sorted[at - 1] ?? Number.NaN
    if (Number.isNaN(above)) return below
    return value - below < above - value ? below : above
  }

  #count(isBelow: (value: number) => boolean): number {
    let low = 0
    let high = this.sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBelow(this.sorted[middle] ?? Number.NaN)) low = middle + 1
      else high = middle
    }
    return low
  }
}
