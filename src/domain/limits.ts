/** The limits of the domain pack: verified queries, definitions and periods. */
export const DOMAIN_LIMITS = {
  /**
   * The time limit for finding the definitions that a query uses. The note about them is not important enough for a longer wait.
   */
  definitionsMs: 1_000,
  /** The maximum length of a parameter's value. The catalog cuts sample values at 100 characters. */
  textCharacters: 80,
  /** The highest number in a period such as "last 30 days". The unit may be minutes, hours, days or weeks. */
  periodUnits: 10_000,
  /** A prompt contains at most this many similar verified queries. */
  similarQueries: 3,
  /** The classify step, which sorts a message, may choose from at most this many verified queries. Each takes about 30 tokens. */
  offeredQueries: 20,
  /** Two questions are similar if they share at least this fraction of their words. Rare words weigh more than frequent ones. */
  similarity: 0.3,
  /** What definitions read is remembered for a year after the last look. */
  historySeconds: 365 * 24 * 3600,
  /** A writer of the verified queries waits this long for another one. A write takes milliseconds. */
  writersMs: 5_000,
} as const
