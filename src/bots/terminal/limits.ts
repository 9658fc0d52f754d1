/** The limits of the terminal's output. Widths are in columns of the terminal. */
export const TERMINAL_LIMITS = {
  /** An answer shows at most this many rows of each of its queries. */
  evidenceRows: 5,
  /**
   * Rows that are too wide for a grid become blocks of lines. All blocks together have at most this many lines. The first row is
   * always drawn, even if it takes more lines.
   */
  recordLines: 200,
  /** The maximum number of rows in a table that the person asks for. */
  tableRows: 50,
  /** The maximum width of names in a chart. The remaining width is for values and curves. */
  chartNameColumns: 24,
  curveColumns: 60,
  graphNameColumns: 40,
  /** The maximum length of a name in a graph, in characters. A longer name is cut. */
  nameCharacters: 400,
  tableColumnColumns: 6,
  /** If each row is a block of lines, column names take at most this share of a line. */
  recordNameShare: 0.4,
  /** A progress line keeps at least this width for the question, even on a narrow terminal. An estimate, not measured. */
  questionColumns: 10,
  /** The width of the output if the terminal does not tell its own. */
  columns: 100,
} as const
