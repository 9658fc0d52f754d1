/** The limits of an evaluation. */
export const EVAL_LIMITS = {
  /** Two floats count as equal up to this relative difference. */
  tolerance: 1e-4,
  /** A comparison tries at most this many ways to match columns. A result with more equal columns would be unreadable. */
  assignments: 5_000,
  /** The report shows at most this many rows of a result. */
  shownRows: 20,
  /** The most rows of the expected (gold) result of a case. */
  goldRows: 10_000,
} as const
