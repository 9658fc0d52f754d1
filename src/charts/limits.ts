/** The limits of drawing. Sizes and distances are in `graph/style.ts`, or in the file that draws the part. */
export const CHART_LIMITS = {
  /** Chosen: the time limit of a drawing. It takes a fraction of a second, and nobody should wait longer because of a chart. */
  drawMs: 10_000,
  /** Chosen: after this time without a chart, the thread ends and frees the library's memory, some 50 MB. */
  idleMs: 60_000,
  /** The memory limits of the drawing thread. */
  threadMemory: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 },
  /** If a line has more points than this, only points without a neighbour get a mark. */
  markedPoints: 40,
  /** This many characters are used from each end of a very long name. */
  nameEndCharacters: 60,
  /** This many characters of a title are used. No picture is wide enough for more. */
  titleCharacters: 300,
} as const
