export const HEALTH_LIMITS = {
  /**
   * The time limits are short, because anyone may reach the port, and a request has only a few lines. The values are a judgment.
   * Node's own limits are 60 s for headers and 300 s in total.
   */
  connection: { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 },
  connections: 1_000,
} as const
