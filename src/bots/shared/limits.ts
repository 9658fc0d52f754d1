/** Limits that all platforms share, for shown text and for button presses. Lengths are in characters. */
export const SHARED_LIMITS = {
  progressQuestionCharacters: 120,
  /**
   * The maximum number of lines in a list of sources. People can still read this many, and even a long answer has fewer figures.
   */
  sourceLines: 40,
  /** A CSV file is written in pieces of this length. Other work can run between two pieces. */
  csvPieceCharacters: 64 * 1024,
  /** The pauses before connecting again: the first pause, the longest pause, and the largest random addition. */
  reconnect: { firstMs: 1_000, mostMs: 300_000, spreadMs: 250 },
} as const
