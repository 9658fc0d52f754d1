/** The limits of a Postgres source. Times are in milliseconds, sizes in bytes. */
export const POSTGRES_LIMITS = {
  connection: {
    /** The maximum number of connections of one process to one source. Each is a process of the server. */
    max: 10,
    /** A connection that is idle for this long is closed. */
    idleMs: 60_000,
    /** How long opening a connection may take. */
    openMs: 5_000,
    /** How long an ended query may take to stop. After that, its connection is cut. */
    cancelMs: 5_000,
    /** How often a refused or lost connection is tried again. A read changes nothing, so it can always be repeated. */
    retry: { attempts: 3, initialDelay: 100, maxDelay: 800 },
  },
  query: {
    /** The default limits of one query: the size of its result as the server sends it, and its running time. */
    maxBytes: 10_000_000,
    timeoutMs: 30_000,
    /** Clew's own deadline is this much later than the server's, whose error says more. */
    deadlineGraceMs: 500,
    /** A query waits this long for a lock, such as while a table is altered. A person waits for the answer. */
    lockMs: 2_000,
    /** The time limit of a check of `clew doctor`. */
    checkMs: 5_000,
    /** An error of Clew quotes at most this many characters of a server's message. */
    messageCharacters: 1_000,
  },
  guard: {
    /** The time limit of the statements that the guard itself sends. Together they take about 2 ms. */
    timeoutMs: 5_000,
    /** So many judged queries are known again when they run. */
    judgedQueries: 1_000,
    /** The maximum number of tables that a query may name without their schema. Each costs an analysis. */
    maxUnqualified: 30,
    /** The maximum nesting of the analyzed tree, nodes and lists together. Analysts' queries reach 60. */
    maxDepth: 1_000,
    /** The maximum number that functions such as `repeat` may take as their number of copies or length. */
    maxCopies: 10_000,
    /** The maximum number of rows that `generate_series` may generate from numbers that stand in the query. */
    maxGeneratedRows: 1_000_000,
    /** The maximum number of rows that joined series may make for each row of the tables. */
    maxJoinedRows: 10_000_000,
    /** The maximum size of all values together that one row makes out of what stands in the query. */
    maxMadeBytes: 10_000_000,
  },
  validation: {
    /** The time limit of EXPLAIN, which computes constants. */
    planMs: 1_000,
  },
} as const
