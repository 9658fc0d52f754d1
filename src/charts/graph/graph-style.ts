/** How graphs look, beside what `CHART_STYLE` says. Lengths are in the picture's own pixels. */
export const GRAPH_STYLE = {
  margin: 24,
  boxWidth: 156,
  /** Behind each box, with the number of rows on it. */
  stem: 58,
  /** Between columns, in which lines turn from one height to another. */
  leastGap: 22,
  mostGap: 70,
  rowGap: 14,
  /** Of more nodes one above the other a picture would be too high to be read at once. */
  mostInColumn: 14,
  /** Between what stands above and what goes on below, besides the lines between them. */
  bandGap: 16,
  /** Between a band and the first line beside it, and between two such lines. */
  trackStart: 16,
  trackGap: 9,
  /** Where a line that leads back leaves its table: below its middle. */
  backOffset: 11,
  line: '#7a848f',
  backLine: '#8a3ffc',
  leastWidth: 560,
  /** About what Slack and Discord show of a picture before it is opened, and the part of its own size from which on letters can be read there. */
  thumbnail: { width: 480, height: 360, scale: 0.52 },
  /** More pixels than that nobody looks at; the picture gets a lower density then. */
  mostPixels: 16e6,
} as const
