/** The numbers of an evaluation. */
export const EVAL_LIMITS = {
  /** Floats count as equal up to this relative difference. */
  tolerance: 1e-4,
  /** At most this many assignments of columns are tried. A result with more equal columns would be unreadable. */
  assignments: 5_000,
  /** Rows of a result in the report. */
  shownRows: 20,
  /** The most rows of a gold result. */
  goldRows: 10_000,
} as const
