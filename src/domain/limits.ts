/** The limits of the domain pack: verified queries, definitions and periods. */
export const DOMAIN_LIMITS = {
  /** The time limit of finding the definitions that a query uses. The note about them is not worth a longer wait. */
  definitionsMs: 1_000,
  /** The maximum length of a parameter's value. The catalog cuts sample values at 100 characters. */
  textCharacters: 80,
  /** The highest N in "last N minutes", "last N hours", "last N days" or "last N weeks". */
  periodUnits: 10_000,
  /** A prompt contains at most this many similar verified queries. */
  similarQueries: 3,
  /** The classify step chooses among at most this many verified queries. Each takes about 30 tokens. */
  offeredQueries: 20,
  /** Questions are similar if they share at least this part of their words. Rare words count more. */
  similarity: 0.3,
} as const
