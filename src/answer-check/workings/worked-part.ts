/** A part of a working, `sum(…)`, `value(…)` or `column[3]`, and the rows that it reads. */
export interface WorkedPart {
  readonly query: string
  /** Undefined for `count`. */
  readonly column?: string
  readonly rows: readonly number[]
  /** The part is the value of single cells, and not an aggregate over rows. */
  readonly isCell: boolean
  /** The cells are moments, so that a difference is in seconds. */
  readonly isTime: boolean
  readonly about: readonly NamedRows[]
  /** The numbers in the conditions: the 21.5 of `count(loss_pct > 21.5)`. */
  readonly limits: readonly number[]
}

/** A name in a condition that selects rows: `city = 'Oslo'`. */
export interface NamedRows {
  readonly name: string
  /** The other names in the same column. */
  readonly others: readonly string[]
}
