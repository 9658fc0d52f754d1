export const TELEMETRY_LIMITS = {
  /** At its end, a process waits this long for spans that are still to be sent. An estimate: a receiver nearby takes milliseconds. */
  flushMs: 3_000,
} as const

export const HEALTH_LIMITS = {
  /**
   * Short time limits in milliseconds, because anyone can reach the port and a request has only a few lines. They are estimates,
   * not measured. Node's own limits are 60 s for the headers and 300 s in total.
   */
  connection: { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 },
  connections: 1_000,
} as const
