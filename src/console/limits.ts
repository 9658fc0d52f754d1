/** The limits of the console. Times are in milliseconds. The numbers are estimates, unless they say that they were measured. */
export const CONSOLE_LIMITS = {
  /** The time limit for the Redis commands of one request. */
  requestMs: 10_000,
  /** How long the start of the page waits for the tables, which a source may take long to list. */
  readMs: 3_000,
  /** Questions that the page suggests. */
  examples: 20,
  /** The most days of a report of use, its names of each kind, and the names that are shown beside a cap. */
  usageDays: 90,
  usageRows: 15,
  nearestToCap: 3,
} as const
