/** The limits of Redis and of the store in memory. All times are in milliseconds. */
export const STORE_LIMITS = {
  /** The store in memory drops expired values once in this many writes. */
  writesPerSweep: 1000,
  check: {
    /** The check measures this many round trips. */
    pings: 5,
    /**
     * The check warns if a round trip takes longer than this. Accepting a message takes a few round trips, and a platform waits
     * only 3 s in total.
     */
    slowMs: 50,
    /**
     * The check warns if this share of `maxmemory` is used. A full Redis refuses new messages, because it must not evict old
     * ones.
     */
    fullShare: 0.8,
  },
  connection: {
    /**
     * The time limit of a producer's command. Slack gives up a delivery after 3 s, and the remaining second is for the network.
     */
    producerCommandMs: 2000,
    /**
     * At the start, Clew waits this long for Redis. That is long enough if Redis starts together with Clew. It is short enough
     * for somebody who gave a wrong address.
     */
    startMs: 3000,
    /** The maximum pause between two attempts to restore a lost connection. */
    reconnectMs: 1000,
    /** A readiness check waits this long for Redis. A judgment: probes usually wait a few seconds. */
    readyMs: 2000,
    /** The time limit for closing a connection. It is short, because other parts are closed after Redis. A judgment, not a measurement. */
    quitMs: 2000,
  },
  /** The limits of the private Redis, which tests, the demo and evaluations start for themselves. */
  embedded: {
    /** The time limit for starting the server. */
    startMs: 20_000,
    /** The time limit for stopping the server. */
    stopMs: 10_000,
    /** A process that claims the folder has this long to start the server. After that, another process may claim the folder. */
    claimMs: 15_000,
    /** The time limit for an answer of the private server. */
    answerMs: 3000,
    /** The pause between two attempts to restore a lost connection. */
    reconnectMs: 200,
    /**
     * Two supervisors may replace an outdated claim at the same time. From reading the old claim to writing its own, each needs
     * less than this time. So after this pause, both see which claim has won.
     */
    settleMs: 250,
    /** The supervisor, the process that starts and ends the server, checks the server and its users at this interval. */
    pollMs: 500,
    /** The server ends after this time without users. A new process needs less time to find the server and connect. */
    aloneMs: 2500,
    /** The supervisor, the process that starts and ends the server, tries at most this often to start it. */
    startAttempts: 3,
  },
} as const
