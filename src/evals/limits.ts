/** The numbers of an evaluation. */
export const EVAL_LIMITS = {
  /** The relative difference up to which floats count as equal. */
  tolerance: 1e-4,
  /** At most this many column assignments are tried. A result with more equal columns would be unreadable. */
  assignments: 5_000,
  /** Rows of a result in the report. */
  shownRows: 20,
  /** A gold result has no more rows. */
  goldRows: 10_000,
} as const
