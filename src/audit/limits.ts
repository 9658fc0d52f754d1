/** The limits of the audit log. */
export const AUDIT_LIMITS = {
  /** Lines wait at most this long in the process before they are written. */
  flushMs: 1_000,
  /** So many lines are written at once. */
  batchLines: 500,
  /** So many lines wait at most, while they cannot be written. A line takes less than 1 kB. Further lines are lost, and counted. */
  waitingLines: 20_000,
  /** At most one refused token of a process is recorded in this time. */
  refusalMs: 1_000,
  /** The names of so many runs that lost a line are kept. An estimate: a process has far fewer runs at a time. */
  lossyRuns: 10_000,
  /** The time limit of one write. */
  writeMs: 10_000,
  /** At the end of a process, the waiting lines get this long. */
  closeMs: 4_000,
  /** The Redis stream keeps about this many lines. A line takes about 400 bytes there. */
  streamLines: 100_000,
  /** So many lines are read at once. */
  pageLines: 2_000,
  /** A page of the latest lines has so many. */
  latestLines: 100,
  /** For a page, so many lines of the Redis stream are looked at. Measured: 40 to 90 ms, by their length. */
  lookedAt: 40_000,
} as const
