/** The limits of pipelines, their runs and their log. Lengths are in characters. */
export const PIPELINES_LIMITS = {
  /**
   * A long list of values is queried in batches of this size. The values are in the URL, and servers or proxies may limit a URL
   * to some KB.
   */
  parametersPerQuery: 200,
  /** The maximum length of an engine's message about a template. */
  complaintCharacters: 300,
  /** How often the runner of a job records that it is alive, and checks whether the job was cancelled. */
  heartbeatMs: 2_000,
  /** After this time without a sign of life, a runner is lost. Another process may then take over or end its job. */
  runnerLostMs: 30_000,
  /**
   * The maximum number of attempts to run an operation. A failed attempt is repeated only if the server was unreachable or
   * overloaded.
   */
  attempts: 3,
  /** The time limit for logging the end of an operation. */
  noteMs: 10_000,
  /**
   * The number of operations that one job runs at the same time. An embedded engine has few slots for writers, and Clew's own
   * state needs one of them.
   */
  operationsAtOnce: 3,
  /**
   * The maximum length of an operation's column lineage as JSON. Longer lineage is ignored. A table of a thousand columns needs
   * about half of this.
   */
  facetCharacters: 500_000,
  /**
   * The maximum number of steps that a trace follows through tables that are made from other tables. Nobody could understand a
   * longer chain.
   */
  depth: 200,
  /** At most this many SQL texts of a run are parsed concurrently. */
  readsAtOnce: 4,
  /** The maximum number of log entries that Clew reads for one run. Its own runs have at most 200 operations. */
  logEntries: 2_000,
  /** A list of runs has at most this many. */
  listedRuns: 100,
  /** The maximum length of a template or SQL text in a log entry. Clew's own texts have at most 64 KB. */
  sqlCharacters: 100_000,
  /** The maximum length of an operation's readable name in a log entry. */
  nameCharacters: 200,
  /**
   * The maximum length of a table's comment. It keeps a statement within the server's limit of 262,144 bytes. If the origins of
   * the columns would make the comment longer, they are left out, and are unknown from then on.
   */
  commentCharacters: 60_000,
  /**
   * After killing a query, Clew waits this long for the query to end. A slower query ends later, and Clew does not wait for it.
   */
  killWaitMs: 10_000,
  /** The time limit for parsing a query. Parsing usually takes some milliseconds. */
  treeMs: 2_000,
  /** The time limit for one operation. It is long, because a `CREATE TABLE … AS SELECT` may fill a large table. */
  operationMs: 6 * 3_600_000,
  /** The limits of a temporary job, which tries out a definition on samples. */
  trial: {
    /** The maximum number of rows of an input's sample. */
    inputRows: 1_000,
    /** The maximum number of rows that an operation makes. A join of samples may make many. */
    madeRows: 10_000,
    shownRows: 5,
    /** The time limit of one operation on samples. */
    operationMs: 10_000,
    memoryBytes: 1_000_000_000,
    /** The maximum number of rows that an operation reads. An operation may read several samples. */
    operationRows: 1_000_000,
    explainMs: 5_000,
    /** The time limit of a whole trial. */
    totalMs: 60_000,
    /** The time limit for dropping the tables of a trial. */
    cleanUpMs: 20_000,
    /** After this time, no process runs the trial any more. It is longer than the limits of trial and cleanup together. */
    lostMs: 120_000,
  },
} as const
