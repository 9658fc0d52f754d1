/** The limits of pipelines, their runs and their log. Lengths are in characters. */
export const PIPELINES_LIMITS = {
  /** A long list is queried in parts of this size. Parameters travel in the URL, which a server or proxy may limit to some KB. */
  parametersPerQuery: 200,
  /** The longest message of the engine about a template. */
  complaintCharacters: 300,
  /** The interval at which the runner of a job reports that it is alive and checks for cancellation. */
  heartbeatMs: 2_000,
  /** A runner without a heartbeat for this long is lost. */
  runnerLostMs: 30_000,
  /** The largest number of attempts at an operation while the server is unreachable or overloaded. */
  attempts: 3,
  /** The time limit to log how an operation ended. */
  noteMs: 10_000,
  /**
   * The number of operations that one job runs concurrently. An embedded engine has few slots for writers, and Clew's own state needs one of them.
   */
  operationsAtOnce: 3,
  /** A longer facet of column lineage is ignored. A table of a thousand columns needs about half of this. */
  facetCharacters: 500_000,
  /** The deepest chain of tables to follow. Nobody could understand a deeper pipeline. */
  depth: 200,
  /** The SQL of at most this many operations of a run is parsed concurrently. */
  readsAtOnce: 4,
  /** At most this many log entries of a run are read. Clew's own runs have at most 200 operations. */
  logEntries: 2_000,
  /** The longest template or SQL to accept from a log entry. Entries of Clew's own runs have at most 64 KB. */
  sqlCharacters: 100_000,
  /** The longest readable name of an operation to accept from a log entry. */
  nameCharacters: 200,
  /**
   * The longest comment on a table. It keeps a statement within the allowed 262,144 bytes. If the origins of columns would make a comment longer, the
   * origins are left out and count as unknown.
   */
  commentCharacters: 60_000,
  /** After a kill, Clew waits this long for the end of the query. A query that takes longer ends by itself later. */
  killWaitMs: 10_000,
  /** The time limit to parse a query. Parsing usually takes some milliseconds. */
  treeMs: 2_000,
  /** The time limit of an operation. It is enough for `CREATE TABLE … AS SELECT` of a large table. */
  operationMs: 6 * 3_600_000,
} as const
