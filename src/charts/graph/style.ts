/** The style of graphs, besides `CHART_STYLE`. Lengths are in the picture's pixels. */
export const GRAPH_STYLE = {
  margin: 24,
  boxWidth: 156,
  /** The width of the stem to the right of each box. The row count is written on it. */
  stem: 58,
  /** The minimum gap between columns. The next limit is the maximum. Lines move up or down inside the gap. */
  leastGap: 22,
  mostGap: 70,
  rowGap: 14,
  /** The maximum number of nodes in a column. With more, the picture would be too high to see at once. */
  mostInColumn: 14,
  /** The gap between two bands, besides the space for the lines between them. */
  bandGap: 16,
  /** The distance from a band to the first line beside it. */
  trackStart: 16,
  /** The distance between two such lines. */
  trackGap: 9,
  /** At a table, a backward line starts this far below the middle of the side. */
  backOffset: 11,
  line: '#7a848f',
  backLine: '#8a3ffc',
  leastWidth: 560,
  /**
   * Slack and Discord show a picture at this size until somebody opens it. `scale` is the smallest scale at which letters are readable.
   */
  thumbnail: { width: 480, height: 360, scale: 0.52 },
  /** The maximum number of pixels. A larger picture is drawn with fewer pixels per unit, because no screen shows more. */
  mostPixels: 16e6,
} as const
