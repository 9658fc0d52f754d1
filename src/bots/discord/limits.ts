/** Discord's limits and numbers derived from them, with sources. Lengths are in characters, times in milliseconds. */
export const DISCORD_LIMITS = {
  /** discord.com/developers/docs/resources/message, "Create Message": `content`. */
  content: 2_000,
  /** resources/message, "Embed Limits". One embed a message, so its description alone counts towards the 6,000 of all embeds. */
  embedDescription: 4_096,
  /** resources/message, "Create Message": `nonce`, checked for uniqueness "in the past few minutes". */
  nonce: 25,
  /** components/reference, "Action Row": five buttons a row; five rows a message. */
  buttonsInRow: 5,
  buttonRows: 5,
  /** components/reference, "Button". */
  buttonLabel: 80,
  /** Chosen, below the 4,000 of a text input. */
  modalReason: 1_000,
  /** resources/channel, "Start Thread from Message": `name`, and the minutes after which a quiet thread leaves the channel list. */
  threadName: 100,
  threadArchiveMinutes: 1_440,
  /** A string option's `max_length` is at most 6,000 (interactions/application-commands). A person's message has at most 4,000. */
  question: 4_000,
  jobName: 200,
  /** 10 MiB per file without a paid plan (reference, "Uploading Files"). */
  fileBytes: 10 * 1_024 * 1_024,
  /** Files per message (topics/opcodes-and-status-codes, 30015). */
  files: 10,
  /** resources/message, "Attachment Structure": `description`, which is the alt text. */
  attachmentDescription: 1_024,
  /** 25 MiB per request (resources/message, "Create Message"), less a margin for the rest of the request. */
  requestBytes: 24 * 1_024 * 1_024,
  /** At most 100 per page (resources/message, "Get Channel Messages"). */
  messagesPage: 100,
  /** Chosen: pages searched for a marker. Markers are usually searched within seconds, and a thread needs hours to grow this long. */
  markerPages: 5,
  /**
   * The first response is due within 3 s, others within 15 min by the token (interactions/receiving-and-responding). The margin
   * covers the transfer.
   */
  responseMs: 3_000,
  tokenMs: 15 * 60_000 - 10_000,
  /**
   * Chosen: Discord sends an event once, so an unaccepted one is retried for this long, with a limited number waiting. For an
   * interaction somebody waits, so the time is shorter.
   */
  acceptMs: 10 * 60_000,
  acceptInteractionMs: 20_000,
  acceptPauseMs: 10_000,
  waiting: 1_000,
  /** Chosen: how far back lost messages are fetched after a lost session and at the start, and from how many channels and pages. */
  gapMs: 60 * 60_000,
  gapAtStartMs: 5 * 60_000,
  gapChannels: 100,
  gapPages: 5,
  /** Chosen: a longer answer appears in this many messages, and the last has the whole text as a file. Discord allows five messages in 5 s. */
  messages: 10,
  /** Chosen: the width of a code block without wrapping. Embeds were seen to wrap at 40 (github.com/discordjs/discord.js/issues/3030). */
  tableColumns: 38,
  /** Chosen: progress should be readable at a glance. */
  progressLines: 12,
  progressLine: 200,
  /** Limits come only in headers (topics/rate-limits). A channel allows about 5 edits in 5 s, and a workspace has many channels. */
  progressEditsPerMinute: 120,
  /** 50 requests a second for all processes of a bot (topics/rate-limits, "Global Rate Limit"). Some messages take two. */
  callsPerSecond: 25,
  /** Markers of this many messages are cached; the oldest go first. */
  cachedMarkers: 5_000,
  /** A connection that lasted this long resets the backoff. */
  stableMs: 10_000,
  /** Events shortly before a dead connection is detected may be lost. This covers two of Discord's heartbeats with a margin. */
  gapMarginMs: 10_000,
  /** For ending the connection on stop. */
  closeMs: 1_000,
  /** On stop, events that are being accepted get this long. */
  drainMs: 3_000,
  /** This many direct conversations are remembered for a lost session. */
  directChannels: 200,
} as const
