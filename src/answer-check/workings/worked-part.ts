/** One `sum(…)`, `value(…)` or `column[3]` of a working, with the rows that it reads. */
export interface WorkedPart {
  readonly query: string
  /** Undefined for `count`. */
  readonly column?: string
  readonly rows: readonly number[]
  /** A single cell's value, not an aggregate. */
  readonly isCell: boolean
  /** It holds moments, so a difference is in seconds. */
  readonly isTime: boolean
  readonly about: readonly NamedRows[]
  /** Numbers in its conditions: the 21.5 of `count(loss_pct > 21.5)`. */
  readonly limits: readonly number[]
}

/** A name that selects rows: `city = 'Oslo'`. */
export interface NamedRows {
  readonly name: string
  /** The other names of its column. */
  readonly others: readonly string[]
}
