export const EVAL_LIMITS = {
  /** Two floats are equal if their relative difference is at most this. */
  tolerance: 1e-4,
  /**
   * A comparison tries at most this many ways to match the columns of two results. Only a result with many equal columns has
   * more.
   */
  assignments: 5_000,
  /** The report shows at most this many rows of a result. */
  shownRows: 20,
  /** At most this many rows of an expected (gold) result are read. */
  goldRows: 10_000,
  /** The console reads at most so many reports, the newest ones. One takes about 40 kB. */
  storedReports: 50,
} as const
