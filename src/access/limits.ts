/** The limits of access rules and of people's groups. Times are in milliseconds. */
export const ACCESS_LIMITS = {
  /** If the platform is away, cached answers up to this age may still be used. */
  staleMs: 60 * 60_000,
  /** The time for asking the platform. It is short, because a person waits for the answer before anything is shown. */
  fetchMs: 5_000,
  /** A channel with more members counts as unknown, because checking each member takes too long. */
  channelMembers: 200,
  /** The time for each question that `clew doctor` asks the server. */
  checkMs: 5_000,
  /** A check names this many tables, groups or patterns, and gives the number of the rest. */
  namedInCheck: 5,
  /** One message lists this many mistakes of `access.yaml`. Clew lists further mistakes after these are corrected. */
  toldMistakes: 20,
} as const
