/** The limits of plans over several sources, and of the engine that combines their results. */
export const COMBINE_LIMITS = {
  plan: {
    /** The maximum number of sub-queries. A question for one source has the same limit. */
    subQueries: 6,
    combines: 6,
    posts: 6,
    /** The maximum number of nodes of a plan. The compiled statement has one CTE for each. */
    nodes: 16,
    /** The maximum number of columns of a sub-query, of a projection and of a GROUP BY. An estimate, not measured. */
    columns: 40,
    /** The maximum number of steps of a post. An estimate: a model that needs more repeats itself. */
    steps: 12,
    /** The maximum number of values of a filter, and their length in characters. Longer lists belong into a sub-query. */
    values: 100,
    valueCharacters: 500,
    /** The maximum number of rows that a plan may keep. A result has at most as many. */
    rows: 10_000,
  },
  engine: {
    /** The limits of a combined result, as of every result. */
    maxRows: 10_000,
    maxBytes: 10_000_000,
    /** The time limit of each statement. Its memory limit of 1 GB is the reading user's (`READER_LIMIT_SETTINGS`). */
    timeoutMs: 10_000,
    /** The rows of an input are sent in statements of about this many characters. A statement takes about 5 ms beside its rows. */
    insertCharacters: 8_000_000,
    /**
     * How often a run is loaded anew after its engine has ended, and after which wait. The sockets of a killed process break one
     * after the other; without the wait, the next statement took one that was about to break in 14 of 60 runs.
     */
    anew: { attempts: 2, waitMs: 200 },
    /** The time limit for dropping a run's tables. An estimate, not measured. */
    dropMs: 5_000,
  },
} as const
