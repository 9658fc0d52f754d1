/** The numbers of what every platform shows, and of the buttons' actions. Lengths are in characters. */
export const SHARED_LIMITS = {
  /** A question in a line of progress. */
  progressQuestionCharacters: 120,
  /** Writing down the tokens of an answer. */
  spendMs: 5_000,
  /** A CSV is written in pieces of this size, so that other work comes between. */
  csvPieceCharacters: 64 * 1024,
} as const
