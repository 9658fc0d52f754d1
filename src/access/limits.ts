/** The numbers of access rules and of people's groups. Times are in milliseconds. */
export const ACCESS_LIMITS = {
  /** An older answer no longer stands in for a platform that is away. */
  staleMs: 60 * 60_000,
  /** Short, because a person waits for it before anything is shown. */
  fetchMs: 5_000,
  /** Checking each member of a larger channel takes too long, so its members count as unknown. */
  channelMembers: 200,
  /** Each question that `clew doctor` asks the server. */
  checkMs: 5_000,
  /** A check names this many tables, groups or patterns, and counts the rest. */
  namedInCheck: 5,
  /** Mistakes of `access.yaml` in one message. Further ones are listed after these are fixed. */
  toldMistakes: 20,
} as const
