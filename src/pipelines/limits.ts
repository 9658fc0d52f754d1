/** The limits of pipelines, their runs and their log. Lengths are in characters. */
export const PIPELINES_LIMITS = {
  /** A long list is queried in parts of this size, because its values are in the URL, and servers or proxies may limit a URL to some KB. */
  parametersPerQuery: 200,
  /** The maximum length of an engine's message about a template. */
  complaintCharacters: 300,
  /** At this interval, a job's runner reports that it is alive, and checks whether the job was cancelled. */
  heartbeatMs: 2_000,
  /** After this time without a heartbeat, a runner counts as lost. */
  runnerLostMs: 30_000,
  /** The maximum number of attempts at an operation while the server is unreachable or overloaded. */
  attempts: 3,
  /** The time limit of logging the end of an operation. */
  noteMs: 10_000,
  /**
   * The number of operations that one job runs concurrently. An embedded engine has few slots for writers, and Clew's own state needs one of them.
   */
  operationsAtOnce: 3,
  /**
   * The maximum length of a facet of column lineage. A longer facet is ignored. A table of a thousand columns needs about half of this.
   */
  facetCharacters: 500_000,
  /** The maximum length of a chain of tables that is followed. Nobody could understand a longer one. */
  depth: 200,
  /** At most this many SQL texts of a run are parsed concurrently. */
  readsAtOnce: 4,
  /** The maximum number of log entries that are read of a run. Clew's own runs have at most 200 operations. */
  logEntries: 2_000,
  /** The maximum length of a template or SQL in a log entry. Entries of Clew's own runs have at most 64 KB. */
  sqlCharacters: 100_000,
  /** The maximum length of an operation's readable name in a log entry. */
  nameCharacters: 200,
  /**
   * The maximum length of a table's comment. This limit keeps a statement within the allowed 262,144 bytes. If the origins of columns would make a
   * comment longer, they are left out and count as unknown.
   */
  commentCharacters: 60_000,
  /** After a kill, Clew waits this long for the query's end. A slower query ends by itself later. */
  killWaitMs: 10_000,
  /** The time limit of parsing a query. This usually takes some milliseconds. */
  treeMs: 2_000,
  /** The time limit of an operation. It is enough for `CREATE TABLE … AS SELECT` of a large table. */
  operationMs: 6 * 3_600_000,
} as const
