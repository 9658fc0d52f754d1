/** The limits of Redis and of the store in memory. All times are in milliseconds. */
export const STORE_LIMITS = {
  /** After this many writes, the store in memory drops its expired values. */
  writesPerSweep: 1000,
  /** How long to wait until Redis has written its files anew. An estimate: some 50 MB a second, so 15 GB. */
  filesAnewMs: 300_000,
  filesPollMs: 100,
  check: {
    /** The check measures this many round trips. */
    pings: 5,
    /**
     * The check warns if a round trip takes longer than this. Accepting a message takes a few round trips, and the chat platform
     * waits only 3 s for all of them.
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
     * The time limit for a Redis command of a producer, the process that accepts chat events. Slack waits 3 s for an event to be
     * accepted, which leaves one second for the network.
     */
    producerCommandMs: 2000,
    /**
     * At its start, Clew waits this long for Redis. A Redis that starts together with Clew needs less. A user who gave a wrong
     * address still sees the error soon.
     */
    startMs: 3000,
    /** The maximum pause between two attempts to restore a lost connection. */
    reconnectMs: 1000,
    /** A readiness check waits this long for Redis. An estimate, not measured: readiness probes usually wait a few seconds. */
    readyMs: 2000,
    /**
     * The time limit for closing a connection. It is short, because the shutdown closes other parts after Redis. An estimate, not
     * measured.
     */
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
    /** The supervisor is the process that starts and stops the server. It checks the server and its users at this interval. */
    pollMs: 500,
    /**
     * The supervisor stops the server after this time without users. A new process needs less time to find the server and
     * connect.
     */
    aloneMs: 2500,
    /** The supervisor, the process that starts and stops the server, tries at most this many times to start it. */
    startAttempts: 3,
  },
} as const
