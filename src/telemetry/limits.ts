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
