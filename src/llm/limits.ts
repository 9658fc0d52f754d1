/** The numbers of calls to the model. */
export const LLM_LIMITS = {
  /**
   * Transient errors of one answer. The delays are the OpenAI SDK's (0.5 s doubling up to 8 s). A run has 120 s, and no
   * single wait may take more than a quarter.
   */
  retry: { maxAttempts: 4, baseDelayMs: 500, maxDelayMs: 8_000, maxRetryAfterMs: 30_000 },
  /** Chosen: nobody waits longer for a check. */
  checkMs: 30_000,
  /** A smaller token limit leaves no room for an answer. */
  leastTokens: 1_024,
  /** More openings are noise, and each costs a scan of the remaining text. */
  openings: 100,
  /** A repair turn quotes this much: enough to show the mistake, whatever the model wrote. */
  quotedCharacters: 20_000,
  /** Problems of a wrong answer that the repeat is told. */
  toldProblems: 10,
} as const
