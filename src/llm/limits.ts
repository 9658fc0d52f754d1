/** The limits of calls to the model. */
export const LLM_LIMITS = {
  /**
   * How one answer is retried after transient errors. The delays are the OpenAI SDK's (0.5 s, doubling up to 8 s). A run has 120 s, and a
   * single wait may take at most a quarter of them.
   */
  retry: { maxAttempts: 4, baseDelayMs: 500, maxDelayMs: 8_000, maxRetryAfterMs: 30_000 },
  /** Chosen: `clew doctor` waits this long for a model, and nobody should wait longer for a check. */
  checkMs: 30_000,
  /** The least token limit. Below it, an answer does not fit. */
  leastTokens: 1_024,
  /**
   * At most this many opening brackets of JSON are tried in a text. Further brackets are noise, and each would cost a scan of the remaining
   * text.
   */
  openings: 100,
  /** A repair turn quotes at most this much of the wrong answer, which is enough to show the mistake. */
  quotedCharacters: 20_000,
  /** A repair turn lists this many problems of the wrong answer. */
  toldProblems: 10,
} as const
