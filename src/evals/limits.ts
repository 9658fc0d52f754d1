export const EVAL_LIMITS = {
  /** Two floats are treated as equal if their relative difference is at most this. */
  tolerance: 1e-4,
  /**
   * The maximum number of ways to match columns that a comparison tries. A result with more equal columns would be unreadable.
   */
  assignments: 5_000,
  /** The report shows at most this many rows of a result. */
  shownRows: 20,
  /** A case's expected (gold) result has at most this many rows. */
  goldRows: 10_000,
} as const
