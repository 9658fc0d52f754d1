/** The limits of what every platform shows, and of the actions of buttons. Lengths are in characters. */
export const SHARED_LIMITS = {
  /** A line of progress shows this much of a question. */
  progressQuestionCharacters: 120,
  /** A list of sources has this many lines. This is more than the figures of a long answer, and few enough to read. */
  sourceLines: 40,
  /** The time limit for recording the tokens of an answer. */
  spendMs: 5_000,
  /** A CSV file is written in pieces of this length, so that other work can run in between. */
  csvPieceCharacters: 64 * 1024,
  /** The pause before the second attempt to connect, the longest pause, and the range of the random addition to short pauses. */
  reconnect: { firstMs: 1_000, mostMs: 300_000, spreadMs: 250 },
} as const
