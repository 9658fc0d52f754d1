import { MCP_LIMITS } from '../mcp/limits.ts'

/** The limits of turns over HTTP. Times are in milliseconds. The numbers are estimates, not measured. */
export const HTTP_LIMITS = {
  /** The largest body of a request. A question of the longest kind, each character escaped in JSON, has about half of this. */
  bodyBytes: 128_000,
  /** The longest `Idempotency-Key`. */
  keyCharacters: 200,
  /** A comment keeps a silent stream open, because proxies close connections after 30 s or more. */
  heartbeatMs: 15_000,
  /** A stream ends after this time. A client then connects again, and goes on where it was. */
  streamMs: 15 * 60_000,
  /** The open streams of one process, and of one token among them. The process takes 1,000 connections. */
  streams: 600,
  streamsOfToken: 200,
  /** The time that a client waits before it connects again, if all streams are taken. */
  busyMs: 5_000,
  /** A turn has at most this many events, except the last ones. */
  events: 2_000,
  /** Events are read in pages of this size. */
  eventPage: 100,
  /** A thread's latest turns that are listed. */
  turnsOfThread: 100,
  /** A token may start `rate` turns in this time. */
  rateMs: 60_000,
  /** A link to the console holds this long, and its session that long unless somebody asks for days. */
  linkMs: 10 * 60_000,
  sessionMs: 12 * 60 * 60_000,
  /** The turns a minute of a person at the console, as of a token by default. */
  sessionRate: 60,
  /** A compressed result above this length counts as large. At most so many are sent at a time, in all and of one token. */
  smallResult: 200_000,
  /** A large result is also stored with this many rows of each query, for agents (MCP), which get no more. */
  shortRows: MCP_LIMITS.answerRows,
  largeResults: 4,
  largeOfToken: 2,
  /** A turn is written in pieces, and its reader must have read it all in this time. */
  pieceBytes: 65_536,
  sendMs: 60_000,
  /** The time limit for the Redis commands of one request. */
  requestMs: 10_000,
} as const
