/** What bounds an investigation. */
export const LINEAGE_LIMITS = {
  /** Rows of one query: where the model does not say, and at most. */
  defaultRows: 100,
  mostRows: 1_000,
  queryTimeoutMs: 10_000,
  /** Rounds of tool calls; the one after that is an answer. */
  rounds: 10,
  /** Calls in one round; more are answered with an error. */
  callsPerRound: 8,
  /** Tables of a run that its prompt lists. */
  promptTables: 400,
  /** Of SQL and templates, as a model is shown them. */
  sqlCharacters: 8_000,
  /** Lines that tell where columns come from, and the characters of one. */
  columnLines: 30,
  columnLineCharacters: 300,
  /** Of one tool's result, as a model is shown it. */
  resultCharacters: 8_000,
  /** Of all results of an investigation together: about 30,000 tokens. */
  allCharacters: 120_000,
} as const
