export const LLM_LIMITS = {
  /**
   * The limits for retrying one answer after transient errors. The delays are those of the OpenAI SDK (0.5 s, doubling up to 8
   * s). A run has 120 s, and a single pause may take at most a quarter of that (30 s).
   */
  retry: { maxAttempts: 4, baseDelayMs: 500, maxDelayMs: 8_000, maxRetryAfterMs: 30_000 },
  /**
   * The endpoint is left alone after this many failed calls in a row. More than a run has under way at a time: six data questions
   * and a plan.
   */
  breakerFailures: 8,
  /**
   * The words of a stream are passed on at most once in a millisecond for each stream that is open, and at least once in this time.
   * Measured with fifty threads: a complex question takes 92 ms of processor time instead of 125, with frames and without web streams.
   */
  frameMs: 30,
  /** A stream pauses while so many of its bytes wait to be read. */
  waitingBytes: 262_144,
  /** `clew doctor` waits this long for a model. An estimate, not measured: nobody wants to wait longer for a check. */
  checkMs: 30_000,
  /** If an endpoint refuses a token limit, the next request halves it, but never below this number. */
  leastTokens: 1_024,
  /**
   * The search for JSON in a text tries at most this many opening brackets as its beginning. Each try may scan the whole rest of
   * the text. A text with more brackets is hardly JSON.
   */
  openings: 100,
  /** The model is asked to correct a wrong answer. That request quotes at most this many characters of the answer. */
  quotedCharacters: 20_000,
  /** The model is asked to correct a wrong answer. That request lists at most this many problems. */
  toldProblems: 10,
} as const
