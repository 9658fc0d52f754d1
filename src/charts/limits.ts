/** The limits of drawing. Sizes and distances are in `graph/style.ts`, or in the file that uses them. */
export const CHART_LIMITS = {
  /** A picture waits at most this long for its turn. An estimate: each picture before it usually takes a fraction of a second. */
  turnMs: 10_000,
  /** The time limit of one drawing. An estimate: nobody should wait longer for a chart. */
  drawMs: 10_000,
  /** After this time without a drawing, the thread ends, which frees some 50 MB of memory. An estimate, not measured. */
  idleMs: 60_000,
  threadMemory: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 },
  /**
   * A line with at most this many points shows a dot at each point. A longer line shows dots only at points without neighbours.
   */
  markedPoints: 40,
  /** This many characters are kept at each end of a very long name. The middle is cut. */
  nameEndCharacters: 60,
  /** A title is cut to this many characters. No picture is wide enough for more. */
  titleCharacters: 300,
} as const
