/** The numbers of pipelines, their runs and their log. Lengths are in characters. */
export const PIPELINES_LIMITS = {
  /** Query parameters travel in the URL, which a server or proxy may limit to some KB. */
  parametersPerQuery: 200,
  /** The engine's complaint about a template. */
  complaintCharacters: 300,
  /** The interval at which a runner reports that it is alive and checks for cancellation. */
  heartbeatMs: 2_000,
  /** A runner without a heartbeat for this long is lost. */
  runnerLostMs: 30_000,
  /** Tries of an operation while its server is away or full. */
  attempts: 3,
  /** For noting in the log how an operation ended. */
  noteMs: 10_000,
  /** Concurrent operations of one job. An embedded engine has few slots for writers, and Clew's own state needs one. */
  operationsAtOnce: 3,
  /** A table of a thousand columns needs about half of it. */
  facetCharacters: 500_000,
  /** No person could follow a deeper pipeline. */
  depth: 200,
  /** Operations of a run whose SQL is read at a time. */
  readsAtOnce: 4,
  /** Limits one run's entries. Clew's own runs have at most 200 operations. */
  logEntries: 2_000,
  /** Limits a template or SQL. Clew's own have at most 64 KB. */
  sqlCharacters: 100_000,
  /** Limits a readable name. */
  nameCharacters: 200,
  /** In characters, since statements may have 262,144 bytes. Longer origins count as unknown. */
  commentCharacters: 60_000,
  /** A query that does not end in this time is left to end by itself. */
  killWaitMs: 10_000,
  /** Parsing a query takes milliseconds. */
  treeMs: 2_000,
  /** Enough for `CREATE TABLE … AS SELECT` of a large table. */
  operationMs: 6 * 3_600_000,
} as const
