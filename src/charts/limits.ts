/** The limits of drawing. Sizes and distances are in `graph/style.ts`, or in the file that uses them. */
export const CHART_LIMITS = {
  /** Chosen: a picture waits this long for its turn. Each picture before it usually takes a fraction of a second. */
  turnMs: 10_000,
  /** Chosen: the time limit of one drawing. Nobody should wait longer because of a chart. */
  drawMs: 10_000,
  /** Chosen: after this time without a drawing, the thread ends. This frees the library's memory, some 50 MB. */
  idleMs: 60_000,
  threadMemory: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 },
  /** If a line has more points, only points without neighbours get a mark. */
  markedPoints: 40,
  /** The number of characters that are kept at each end of a very long name. */
  nameEndCharacters: 60,
  /** The number of characters of a title that are used. No picture is wide enough for more. */
  titleCharacters: 300,
} as const
