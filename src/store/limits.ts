/** The numbers of Redis and of the store in memory. Times are in milliseconds. */
export const STORE_LIMITS = {
  /** The store in memory drops expired values after this many writes. */
  writesPerSweep: 1000,
  /** Checks of `clew doctor`. */
  check: {
    /** Round trips that are measured. */
    pings: 5,
    /** Accepting a message takes a few round trips, and the platform allows 3 s for all of them. */
    slowMs: 50,
    /** From this share of `maxmemory` on, the check warns: a full Redis without eviction refuses to accept messages. */
    fullShare: 0.8,
  },
  /** A connection to Redis. */
  connection: {
    /** Slack counts a delivery as failed after 3 s. The remaining second is for the network. */
    producerCommandMs: 2000,
    /** Long enough for a Redis that starts together with Clew, and short for somebody who gave a wrong address. */
    startMs: 3000,
    /** The longest pause before it connects again. */
    reconnectMs: 1000,
    /** Chosen: a readiness check waits this long for Redis. Readiness probes usually wait a few seconds. */
    readyMs: 2000,
    /** Chosen: a short limit, since other parts still have to close after Redis. */
    quitMs: 2000,
  },
  /** The private Redis of tests, demo and evaluations. */
  embedded: {
    /** For starting and for ending. */
    startMs: 20_000,
    stopMs: 10_000,
    /** A supervisor counts as dead if its server is not up this long after the claim. */
    claimMs: 15_000,
    /** For an answer of the server. */
    answerMs: 3000,
    /** The pause before it is asked again. */
    reconnectMs: 200,
    /** Two supervisors may race to replace a stale claim. Between its read and its write, each takes less than this time. */
    settleMs: 250,
    /** How often the supervisor looks. */
    pollMs: 500,
    /** The server ends after this time without users. A user who has read the record needs less to connect. */
    aloneMs: 2500,
    /** Attempts to start the server. */
    startAttempts: 3,
  },
} as const
