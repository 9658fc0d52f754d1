/** The numbers of conversations and run logs. */
export const HISTORY_LIMITS = {
  /** A silent thread is remembered this long by default. */
  conversationSeconds: 30 * 24 * 3600,
  /** Enough of an answer to refer back to, too little to carry a result. */
  answerCharacters: 4_000,
  /** A chat message may have 40,000 characters, and every later prompt repeats the turn. */
  questionCharacters: 2_000,
  /** The summary of older turns. */
  summaryCharacters: 4_000,
  /** The default lifetime of a run's trace. */
  traceSeconds: 7 * 24 * 3600,
  /** A run can be resumed for this long. Values hold results and are a hundred times larger than the trace. */
  resumableSeconds: 24 * 3600,
  /** A value with more characters is stored compressed. Only query results get near this size. */
  plainCharacters: 100_000,
  /** Writing an entry of the trace. */
  traceMs: 2_000,
  /** Characters compressed at a time. */
  packedPieceCharacters: 30_000,
} as const
