/** All numbers of the SQL guard. */
export const GUARD_LIMITS = {
  /** The most bytes that the engine may have to print; 5 MB took about 1 s. It allows 12 nested BETWEEN in a query of 1 KB. */
  maxWrittenOutBytes: 4 * 1024 * 1024,
  /** The longest canonical text in characters. Spelled-out operators and casts lengthen it; twice the input is ample. */
  maxCanonicalLength: 64 * 1024,
  /** The deepest nesting of brackets in the canonical text. Legitimate sample queries reach 6. */
  maxDepth: 150,
  /** The most tokens once WITH lists are copied into branches of UNION. 16 KB of SQL have at most 8,000 before. */
  maxExpandedTokens: 40_000,
  /** The most lines of EXPLAIN output. Legitimate sample queries reach about 200. */
  maxTreeLines: 50_000,
  /** In milliseconds from sending one of the guard's own statements. They take about 1. */
  timeoutMs: 5_000,
  /** A busy server gets the statement this many times, with pauses. */
  retry: { attempts: 2, initialDelayMs: 500, maxDelayMs: 2_000 },
  /** A message lists at most this many tables. Beyond that it lists near names only. */
  maxListedTables: 12,
} as const
