/** The limits of drawing. Sizes and distances are in `graph/style.ts`, or in the file that uses them. */
export const CHART_LIMITS = {
  /** A picture waits at most this long for its turn. A judgment: each picture before it usually takes a fraction of a second. */
  turnMs: 10_000,
  /** The time limit of one drawing. A judgment: nobody should wait longer because of a chart. */
  drawMs: 10_000,
  /** After this time without a drawing, the thread ends, which frees some 50 MB of memory. A judgment, not a measurement. */
  idleMs: 60_000,
  threadMemory: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 },
  /** A line with more points gets marks only at points without neighbours. Shorter lines get a mark at each point. */
  markedPoints: 40,
  /** This many characters are kept at each end of a very long name. The middle is cut. */
  nameEndCharacters: 60,
  /** A title is cut to this many characters, because no picture is wide enough for more. */
  titleCharacters: 300,
} as const
