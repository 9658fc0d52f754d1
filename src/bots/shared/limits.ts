/** Limits that all platforms share, for shown text and for button presses. Lengths are in characters. */
export const SHARED_LIMITS = {
  progressQuestionCharacters: 120,
  /** The maximum number of lines in a list of sources. A long answer has fewer figures, and people can still read this many. */
  sourceLines: 40,
  /** The time limit for recording the tokens of an answer. */
  spendMs: 5_000,
  /** A CSV file is written in pieces of this length, so that other work can run in between. */
  csvPieceCharacters: 64 * 1024,
  /** The pauses before connecting again: before the second attempt, the longest one, and the range of a random addition to short pauses. */
  reconnect: { firstMs: 1_000, mostMs: 300_000, spreadMs: 250 },
} as const
