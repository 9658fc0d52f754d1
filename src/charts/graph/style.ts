/** The style of graphs, in addition to `CHART_STYLE`. Lengths are in the picture's pixels. */
export const GRAPH_STYLE = {
  margin: 24,
  boxWidth: 156,
  /** Behind each box, with the row count on it. */
  stem: 58,
  /** The gap between columns, where lines change height. */
  leastGap: 22,
  mostGap: 70,
  rowGap: 14,
  /** With more nodes in one column the picture would be too high to read at once. */
  mostInColumn: 14,
  /** Between bands, in addition to the lines between them. */
  bandGap: 16,
  /** From a band to the first line beside it, and between two such lines. */
  trackStart: 16,
  trackGap: 9,
  /** How far below its middle a line that leads back leaves a table. */
  backOffset: 11,
  line: '#7a848f',
  backLine: '#8a3ffc',
  leastWidth: 560,
  /** About the size of a picture in Slack and Discord before it is opened, and the smallest scale with readable letters. */
  thumbnail: { width: 480, height: 360, scale: 0.52 },
  /** Nobody looks at more pixels. A larger picture gets a lower density. */
  mostPixels: 16e6,
} as const
