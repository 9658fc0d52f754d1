/** The limits of the console. Times are in milliseconds. The numbers are estimates, unless they say that they were measured. */
export const CONSOLE_LIMITS = {
  /** The time limit of one request, and of those that read data, by a part of their path. */
  requestMs: 10_000,
  longerMs: { '/queries/': 120_000, '/data/': 60_000, '/lineage/': 30_000 },
  /** The requests of one person that are served at a time, and the most that wait besides. Others do not wait for them. */
  servedOfPerson: 4,
  requestsOfPerson: 50,
  /** The runs whose rows are in memory at a time, and those of one person among them. */
  openRuns: 4,
  openRunsOfPerson: 2,
  /** How long the start of the page waits for the tables, which a source may take long to list. */
  readMs: 3_000,
  /** The runs that the list has. The oldest leave it first. */
  runs: 10_000,
  /** Changes of the list are read in pages of this size. */
  changesPage: 1_000,
  /** The runs of a page of the list, and the most that one request gets. */
  page: 100,
  largestPage: 500,
  /** A run that began so long ago, and has not ended, counts as lost. A run takes minutes, even if it is resumed. */
  lostMs: 60 * 60_000,
  /** The rows of each query that a run shows, and that SQL which is run again gives. The CSV has all. */
  rows: 1_000,
  /** Questions that the page suggests. */
  examples: 20,
  /** The rows of a verified query that the page shows. */
  verifiedRows: 20,
  /** The most days of a report of use, its names of each kind, and the names that are shown beside a cap. */
  usageDays: 90,
  usageRows: 15,
  nearestToCap: 3,
} as const

/** Returns the time limit of a request for a path. */
export function limited(path: string): AbortSignal {
  const longer = Object.entries(CONSOLE_LIMITS.longerMs).find(([part]) => path.includes(part))
  return AbortSignal.timeout(longer?.[1] ?? CONSOLE_LIMITS.requestMs)
}
