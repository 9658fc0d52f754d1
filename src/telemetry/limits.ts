export const TELEMETRY_LIMITS = {
  /**
   * A receiver has this long to take a batch of spans, repeated requests included. At its end, a process waits a little longer for
   * its last batch. Estimates: a receiver nearby takes milliseconds.
   */
  sendMs: 3_000,
  flushMs: 4_000,
} as const

export const HEALTH_LIMITS = {
  /**
   * Short time limits in milliseconds, because anyone can reach the port and a request has only a few lines. They are estimates,
   * not measured. Node's own limits are 60 s for the headers and 300 s in total.
   */
  connection: { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 },
  connections: 1_000,
} as const

export const METRIC_LIMITS = {
  /** The upper bounds of the buckets of all durations, in seconds: from a query of milliseconds to a run of minutes. */
  secondsBuckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300],
  /** A label has at most this many values, and then `other`. An estimate: the names of models and sources are the most. */
  labelValues: 50,
  /** The errors of this many attempts are kept, as reasons of the next ones. */
  reasons: 1_000,
  /**
   * The delay of the event loop is measured at this interval. Measured on an idle process: 10 ms cost 0.5 % of a core, 50 ms
   * 0.2 %.
   */
  loopPrecisionMs: 20,
  /** Scrapes within this time get the same text. Prometheus usually scrapes every 15 seconds. */
  sharedMs: 1_000,
} as const
