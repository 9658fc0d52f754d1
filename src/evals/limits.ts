export const EVAL_LIMITS = {
  /** Two floats count as equal up to this relative difference. */
  tolerance: 1e-4,
  /**
   * The maximum number of ways to match columns that a comparison tries. A result with more equal columns would be unreadable.
   */
  assignments: 5_000,
  /** The maximum number of rows of a result in the report. */
  shownRows: 20,
  /** The maximum number of rows of a case's expected (gold) result. */
  goldRows: 10_000,
} as const
