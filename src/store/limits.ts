/** The limits of Redis and of the store in memory. Times are in milliseconds. */
export const STORE_LIMITS = {
  /** The store in memory drops expired values after each such number of writes. */
  writesPerSweep: 1000,
  check: {
    /** The number of round trips that are measured. */
    pings: 5,
    /** Slower round trips cause a warning. Accepting a message takes a few of them, and the platform allows 3 s in total. */
    slowMs: 50,
    /** The check warns from this share of `maxmemory` on. A full Redis without eviction refuses to accept messages. */
    fullShare: 0.8,
  },
  connection: {
    /**
     * The time limit of a producer's command. Slack counts a delivery as failed after 3 s. The remaining second is for the network.
     */
    producerCommandMs: 2000,
    /**
     * At the start, Clew waits this long for Redis. The time is enough if Redis starts together with Clew, and short for somebody who gave a wrong
     * address.
     */
    startMs: 3000,
    /** The maximum pause between two attempts to restore a lost connection. */
    reconnectMs: 1000,
    /** Chosen: a readiness check waits this long for Redis. Readiness probes usually wait a few seconds. */
    readyMs: 2000,
    /** Chosen: the time limit for closing a connection. It is short, because other parts are closed after Redis. */
    quitMs: 2000,
  },
  /** Limits of the private Redis of tests, demo and evaluations. */
  embedded: {
    /** The time limit for starting the server. */
    startMs: 20_000,
    /** The time limit for stopping the server. */
    stopMs: 10_000,
    /** If the server is not up this long after the claim, its supervisor counts as dead. */
    claimMs: 15_000,
    /** The private server must answer within this time. */
    answerMs: 3000,
    /** The pause between two attempts to restore a lost connection. */
    reconnectMs: 200,
    /**
     * Two supervisors may replace a stale claim at the same time. Each of them takes less than this time from reading the old claim to writing its
     * own.
     */
    settleMs: 250,
    /** The supervisor checks the server and its users at this interval. */
    pollMs: 500,
    /** The server ends after this time without users. A process that has read the server's record connects in less time. */
    aloneMs: 2500,
    /** The maximum number of the supervisor's attempts to start the server. */
    startAttempts: 3,
  },
} as const
