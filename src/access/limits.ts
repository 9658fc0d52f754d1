/** The limits of access rules and of people's groups. Times are in milliseconds. */
export const ACCESS_LIMITS = {
  /** While the platform is away, cached answers up to this age still count. */
  staleMs: 60 * 60_000,
  /** The time limit of asking the platform. It is short, because a person waits and sees nothing before that. */
  fetchMs: 5_000,
  /** If a channel has more members, they count as unknown, because checking each of them would take too long. */
  channelMembers: 200,
  /** The time limit of each question that `clew doctor` asks the server. */
  checkMs: 5_000,
  /** A check names this many tables, groups or patterns. The rest is only counted. */
  namedInCheck: 5,
  /** A message lists at most this many mistakes of `access.yaml`. The next message lists further ones. */
  toldMistakes: 20,
} as const
