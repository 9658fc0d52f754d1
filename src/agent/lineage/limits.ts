export const LINEAGE_LIMITS = {
  /** Rows per query: the default and the maximum. */
  defaultRows: 100,
  mostRows: 1_000,
  queryTimeoutMs: 10_000,
  /** Rounds of tool calls before the model must answer. */
  rounds: 10,
  /** Calls per round. Further calls fail. */
  callsPerRound: 8,
  promptTables: 400,
  /** For SQL and templates shown to the model. */
  sqlCharacters: 8_000,
  /** Lines about column origins, and characters per line. */
  columnLines: 30,
  columnLineCharacters: 300,
  resultCharacters: 8_000,
  /** For all tool results of an investigation, about 30,000 tokens. */
  allCharacters: 120_000,
} as const
