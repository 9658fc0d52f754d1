/** The limits of what the terminal shows. Widths are in columns of the terminal. */
export const TERMINAL_LIMITS = {
  /** The maximum number of rows of each query below an answer. */
  evidenceRows: 5,
  /** The maximum number of lines of all blocks, if rows are too wide for a grid and become blocks of lines. At least one row is drawn. */
  recordLines: 200,
  /** The maximum number of rows in a table that the person asks for. */
  tableRows: 50,
  /** The maximum width of names in a chart. Values and curves get the rest of the line. */
  chartNameColumns: 24,
  curveColumns: 60,
  graphNameColumns: 40,
  /** The maximum length of a name in a graph, in characters. The rest is cut before invisible characters are removed. */
  nameCharacters: 400,
  tableColumnColumns: 6,
  /** In a record, the names of columns take at most this share of a line. */
  recordNameShare: 0.4,
  /** Chosen: in progress on a narrow terminal, a question gets at least this width. */
  questionColumns: 10,
  /** The width of the output if the terminal does not tell its own. */
  columns: 100,
} as const
