/** The limits of access rules and of people's groups. Times are in milliseconds. */
export const ACCESS_LIMITS = {
  /** If the platform cannot answer, cached answers that are no older than this are used. */
  staleMs: 60 * 60_000,
  /** A channel's members are cached for this long. Slack answers about a hundred such requests a minute. */
  membersMs: 5_000,
  /** The time limit for asking the platform. It is short, because the asker sees nothing until the platform answers. */
  fetchMs: 5_000,
  /** If a channel has more members, Clew treats its members as unknown, because checking each of them would take too long. */
  channelMembers: 200,
  /** The time limit of each query that `clew doctor` sends to the warehouse. */
  checkMs: 5_000,
  /** A check of `clew doctor` names at most this many tables, groups or patterns, and gives only the number of the others. */
  namedInCheck: 5,
  /** An error message lists at most this many mistakes of `access.yaml`, and gives only the number of the others. */
  toldMistakes: 20,
} as const
