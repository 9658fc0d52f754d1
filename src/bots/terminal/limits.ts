/** The numbers of what the terminal shows. Widths are in columns of the terminal. */
export const TERMINAL_LIMITS = {
  /** Rows of each query below an answer. */
  evidenceRows: 5,
  /** Rows too wide for a grid share this many lines. At least one row is shown. */
  recordLines: 200,
  /** Rows of a table that is asked for. */
  tableRows: 50,
  /** Names use at most this much of a line; values and curves use the rest. */
  chartNameColumns: 24,
  /** The width of a curve. */
  curveColumns: 60,
  /** Names use at most this much of a line. */
  graphNameColumns: 40,
  /** The characters read of a name, which may include invisible ones. */
  nameCharacters: 400,
  /** The least width of a table's column. */
  tableColumnColumns: 6,
  /** The largest share of a record's line for its name. */
  recordNameShare: 0.4,
  /** Chosen: the least width of a question on a narrow terminal. */
  questionColumns: 10,
  /** The width where the terminal tells none. */
  columns: 100,
} as const
