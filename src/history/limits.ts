/** The limits of conversations and run logs. */
export const HISTORY_LIMITS = {
  /** By default, Clew forgets a thread after this long without a message. */
  conversationSeconds: 30 * 24 * 3600,
  /** A turn keeps this much of an answer. This much is enough for later references to the answer, but too little for a whole result. */
  answerCharacters: 4_000,
  /** A turn keeps this much of a question. A chat message may have 40,000 characters, and every later prompt repeats the turn. */
  questionCharacters: 2_000,
  /** The summary of older turns has at most this many characters. */
  summaryCharacters: 4_000,
  /** By default, a run's trace is stored this long. */
  traceSeconds: 7 * 24 * 3600,
  /** A run can be resumed for this long. The stored values hold results and are a hundred times larger than the trace. */
  resumableSeconds: 24 * 3600,
  /** A value with more characters is stored in compressed form. Only query results come near this size. */
  plainCharacters: 100_000,
  /** The time limit for writing an entry of the trace. */
  traceMs: 2_000,
  /** This many characters are compressed at a time. */
  packedPieceCharacters: 30_000,
} as const
