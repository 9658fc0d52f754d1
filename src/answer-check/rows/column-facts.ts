/** The statistics of a column of numbers, computed once. Cells with NULL and NaN are left out. */
export class ColumnFacts {
  /** In ascending order. */
  readonly sorted: Float64Array
  readonly sum: number
  /** The number of cells without a number. */
  readonly missing: number
  readonly #values: Float64Array
  readonly #sums = new WeakMap<readonly number[], number>()

  constructor(values: Float64Array) {
    this.#values = values
    this.sorted = values.filter(Number.isFinite).sort()
    this.sum = this.sorted.reduce((sum, value) => sum + value, 0)
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

  /** Returns the sum over some rows. The sum is cached for each array `rows`. */
  sumOf(rows: readonly number[]): number {
    const known = this.#sums.get(rows)
    if (known !== undefined) return known
    let sum = 0
    for (const row of rows) {
      const value = this.#values[row] ?? Number.NaN
      if (Number.isFinite(value)) sum += value
    }
    this.#sums.set(rows, sum)
    return sum
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
