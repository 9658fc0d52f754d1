/** The limits of the MCP server. */
export const MCP_LIMITS = {
  /** One caller's tool calls at a time. Further calls are refused, because the caller may be an agent that runs wild. */
  callsAtOnce: 8,
  /** The maximum number of members in the arguments of a call. No tool has more than a few. */
  argumentMembers: 20,
  /** An answer comes with at most this many rows of each query, about as many as its model has read. */
  answerRows: 50,
  /** `run_query` returns this many rows unless the agent asks for another number. */
  queryRows: 100,
  threadCharacters: 64,
  /** A message about progress has at most this many characters. */
  progressCharacters: 300,
} as const
