/** What one `sum(…)`, `value(…)` or `column[3]` of a working is made of. */
export interface WorkedPart {
  readonly query: string
  /** None for `count`. */
  readonly column?: string
  readonly rows: readonly number[]
  /** One cell's own value, and no sum or count over rows. */
  readonly isCell: boolean
  /** It holds moments: their difference is in seconds. */
  readonly isTime: boolean
  readonly about: readonly NamedRows[]
  /** The numbers of its conditions: "above 21.5 %" of `count(loss_pct > 21.5)`. */
  readonly limits: readonly number[]
}

/** A name that a working picks rows by: `city = 'Oslo'`. */
export interface NamedRows {
  readonly name: string
  /** The other names of its column. */
  readonly others: readonly string[]
}
