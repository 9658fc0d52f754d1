/** The style of graphs, in addition to `CHART_STYLE`. Lengths are in the picture's pixels. */
export const GRAPH_STYLE = {
  margin: 24,
  boxWidth: 156,
  /** The width of the stem to the right of each box. The row count stands on the stem. */
  stem: 58,
  /** The smallest and the largest gap between columns. Lines move up or down inside this gap. */
  leastGap: 22,
  mostGap: 70,
  rowGap: 14,
  /** A column has at most this many nodes. With more, the picture would be too high to read at once. */
  mostInColumn: 14,
  /** The gap between two bands, in addition to the space for the lines between them. */
  bandGap: 16,
  /** The distance from a band to the first line beside it, and between two such lines. */
  trackStart: 16,
  trackGap: 9,
  /** A backward line starts this far below the middle of its table's side. */
  backOffset: 11,
  line: '#7a848f',
  backLine: '#8a3ffc',
  leastWidth: 560,
  /** Slack and Discord show a picture at this size before somebody opens it. `scale` is the smallest scale with readable letters. */
  thumbnail: { width: 480, height: 360, scale: 0.52 },
  /** A larger picture gets fewer pixels per unit, because no screen shows more pixels than this. */
  mostPixels: 16e6,
} as const
