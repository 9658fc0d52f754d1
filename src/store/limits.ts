/** The limits of Redis and of the store in memory. Times are in milliseconds. */
export const STORE_LIMITS = {
  /** The store in memory drops expired values after this many writes. */
  writesPerSweep: 1000,
  /** The limits of the Redis checks in `clew doctor`. */
  check: {
    /** The number of round trips that are measured. */
    pings: 5,
    /** Slower round trips cause a warning. Accepting a message takes a few round trips, and the platform allows 3 s in all. */
    slowMs: 50,
    /** From this share of `maxmemory` on, the check warns: a full Redis without eviction refuses to accept messages. */
    fullShare: 0.8,
  },
  /** The time limits of a connection to Redis. */
  connection: {
    /** The time limit of a producer's command. Slack counts a delivery as failed after 3 s, and the remaining second is for the network. */
    producerCommandMs: 2000,
    /**
     * At the start, Clew waits this long for Redis. This is enough if Redis starts together with Clew, and somebody who gave a wrong address does not
     * wait long.
     */
    startMs: 3000,
    /** The longest pause between two attempts to restore a lost connection. */
    reconnectMs: 1000,
    /** Chosen: a readiness check waits this long for Redis. Readiness probes usually wait a few seconds. */
    readyMs: 2000,
    /** Chosen: the time limit to close a connection. It is short, since other parts still have to close after Redis. */
    quitMs: 2000,
  },
  /** The private Redis of tests, demo and evaluations. */
  embedded: {
    /** The time limits to start the server and to stop it. */
    startMs: 20_000,
    stopMs: 10_000,
    /** A supervisor counts as dead if its server is not up this long after the claim. */
    claimMs: 15_000,
    /** The private server must answer within this time. */
    answerMs: 3000,
    /** The pause between two attempts to restore a lost connection. */
    reconnectMs: 200,
    /**
     * Two supervisors may race to replace a stale claim. Each supervisor takes less than this time between reading the old claim and writing its own
     * claim.
     */
    settleMs: 250,
    /** The interval at which the supervisor checks the server and its users. */
    pollMs: 500,
    /** The server ends after this time without users. A process that has read the record connects in less time. */
    aloneMs: 2500,
    /** The supervisor makes at most this many attempts to start the server. */
    startAttempts: 3,
  },
} as const
