/** The numbers of the domain pack: verified queries, definitions and periods. */
export const DOMAIN_LIMITS = {
  /** The note is not worth a longer wait. */
  definitionsMs: 1_000,
  /** A value has at most this many words. */
  valueWords: 8,
  /** A longer message is no verified question. */
  questionWords: 80,
  /** A message with more possible readings matches no question. */
  readings: 8,
  /** A longer text is not a value. The catalog cuts sample values at 100 characters. */
  textCharacters: 80,
  /** The longest "last N" in days, weeks or months. */
  periodUnits: 10_000,
  /** Similar verified queries in a prompt. */
  similarQueries: 3,
  /** Questions are similar if they share at least this part of their words. Rare words weigh more. */
  similarity: 0.3,
} as const
