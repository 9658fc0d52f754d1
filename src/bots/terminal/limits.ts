/** The limits of what the terminal shows. Widths are in columns of the terminal. */
export const TERMINAL_LIMITS = {
  /** Below an answer, this many rows of each query are shown. */
  evidenceRows: 5,
  /**
   * Rows that are too wide for a grid are drawn as blocks of lines. All blocks together take at most this many lines, but at least one row
   * is shown.
   */
  recordLines: 200,
  /** A table that the person asks for has at most this many rows. */
  tableRows: 50,
  /** Names in a chart take at most this many columns of a line. Values and curves get the rest. */
  chartNameColumns: 24,
  /** A curve has this width. */
  curveColumns: 60,
  /** Names in a graph take at most this many columns of a line. */
  graphNameColumns: 40,
  /** At most this many characters of a name in a graph are used. The rest is cut before invisible characters are removed. */
  nameCharacters: 400,
  /** A column of a table is never narrower than this. */
  tableColumnColumns: 6,
  /** The name in a record's line takes at most this share of the line. */
  recordNameShare: 0.4,
  /** Chosen: in progress on a narrow terminal, a question still gets this many columns. */
  questionColumns: 10,
  /** The width of the output if the terminal does not reveal its own. */
  columns: 100,
} as const
