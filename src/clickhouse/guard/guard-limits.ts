/** The numbers of the SQL guard. */
export const GUARD_LIMITS = {
  /** Most that the engine may have to print, in bytes; printing 5 MB took about 1 s. Leaves a query of 1 KB 12 times BETWEEN. */
  maxWrittenOutBytes: 4 * 1024 * 1024,
  /** Longest canonical text in characters. It grows by spelled-out operators and casts; twice the input is ample. */
  maxCanonicalLength: 64 * 1024,
  /** Deepest nesting of brackets in the canonical text; the deepest of the legitimate sample queries has 6. */
  maxDepth: 150,
  /** Most tokens once WITH lists are copied into the branches of UNION; 16 KB of SQL have at most 8,000 before. */
  maxExpandedTokens: 40_000,
  /** Most lines of EXPLAIN output that are walked; the largest of the legitimate sample queries has about 200. */
  maxTreeLines: 50_000,
  /** Time for one of the guard's own statements from when it is sent, in milliseconds; they take about 1. */
  timeoutMs: 5_000,
  /** One that a busy server did not answer in that time is sent again so many times, after a pause. */
  retry: { attempts: 2, initialDelayMs: 500, maxDelayMs: 2_000 },
  /** As many available tables are listed in a message; beyond, only near names are. */
  maxListedTables: 12,
} as const
