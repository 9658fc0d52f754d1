export const HISTORY_LIMITS = {
  /** By default, Clew forgets a conversation after this time without a message. */
  conversationSeconds: 30 * 24 * 3600,
  /**
   * A turn of a conversation keeps this many characters of its answer: enough for later references, but not for a whole result.
   */
  answerCharacters: 4_000,
  /**
   * A turn of a conversation keeps this many characters of its question. A message may have 40,000, and each later prompt repeats
   * it.
   */
  questionCharacters: 2_000,
  /** The maximum length of the summary of older turns. */
  summaryCharacters: 4_000,
  /** By default, a run's trace is stored for this time. */
  traceSeconds: 7 * 24 * 3600,
  /** A run can be resumed for this time. It is short, because the stored results are a hundred times larger than the trace. */
  resumableSeconds: 24 * 3600,
  /** Values with more characters are compressed in the store. Only query results get this large. */
  plainCharacters: 100_000,
  /** The time limit for writing an entry of the trace. */
  traceMs: 2_000,
  /** The number of characters that are compressed at a time. */
  packedPieceCharacters: 30_000,
} as const
