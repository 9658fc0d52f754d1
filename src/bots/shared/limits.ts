/** The numbers of what every platform shows, and of the buttons' actions. Lengths are in characters. */
export const SHARED_LIMITS = {
  /** A question in a line of progress. */
  progressQuestionCharacters: 120,
  /** Writing down the tokens of an answer. */
  spendMs: 5_000,
  /** A CSV is written in pieces of this size, so that other work comes between. */
  csvPieceCharacters: 64 * 1024,
  /** The pause before the second attempt to connect, the longest pause, and the least spread of attempts. */
  reconnect: { firstMs: 1_000, mostMs: 300_000, spreadMs: 250 },
} as const
