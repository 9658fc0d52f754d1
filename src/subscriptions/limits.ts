/** The limits of subscriptions. Times are in milliseconds. */
export const SUBSCRIPTION_LIMITS = {
  /** Workers look for due runs at this interval. */
  tickMs: 5_000,
  /** A worker starts at most this many due runs at a time: 1,000 in three to four minutes, so that questions beside them do not wait. */
  startedTogether: 25,
  /** A run that starts this long after its time is told as late. */
  lateMs: 10 * 60_000,
  /** A run that is under way is looked after at this interval, in case its message was lost. */
  recheckMs: 60_000,
  /** A run that has not ended by then is given up, and the next one comes. */
  stuckMs: 2 * 3_600_000,
  /** An alert that is open says so once in this time. Snooze keeps it quiet for as long. */
  stillOpenMs: 86_400_000,
  /** An alert tells of missed runs only if it was blind for this long. */
  blindMs: 3_600_000,
  /** A subscription keeps its last runs. */
  historyRuns: 50,
  /** An open alert remembers this many of the rows that it has told of and that hold no longer. An estimate. */
  goneRows: 1_000,
  /** An alert shows at most this many of the rows that fired it. */
  alertRows: 10,
  /** A subscription that neither runs nor changes is kept for this long, in seconds. */
  retentionSeconds: 2 * 365 * 86_400,
} as const
