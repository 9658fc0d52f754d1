/** Discord's limits and numbers derived from them, with sources. Lengths are in characters, times in milliseconds. */
export const DISCORD_LIMITS = {
  /** discord.com/developers/docs/resources/message, "Create Message": `content`. */
  content: 2_000,
  /**
   * resources/message, "Embed Limits". Each message has one embed, so the embed's description alone counts towards the 6,000 of all embeds.
   */
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
  /** The size limit of a file without a paid plan is 10 MiB (reference, "Uploading Files"). */
  fileBytes: 10 * 1_024 * 1_024,
  /** Files per message (topics/opcodes-and-status-codes, 30015). */
  files: 10,
  /** resources/message, "Attachment Structure": `description`, which is the alt text. */
  attachmentDescription: 1_024,
  /** 25 MiB per request (resources/message, "Create Message"), less a margin for the rest of the request. */
  requestBytes: 24 * 1_024 * 1_024,
  /** At most 100 per page (resources/message, "Get Channel Messages"). */
  messagesPage: 100,
  /** Chosen: a search for a marker reads this many pages. It usually starts within seconds, and a thread needs hours to grow this long. */
  markerPages: 5,
  /**
   * An interaction's first response is due within 3 s. Its token accepts others for 15 min (interactions/receiving-and-responding). The
   * subtracted margin covers the transfer.
   */
  responseMs: 3_000,
  tokenMs: 15 * 60_000 - 10_000,
  /**
   * Chosen: Discord sends an event once, so an event that could not be accepted is retried for this long. The number of waiting events is
   * limited. Somebody waits for an interaction, so its time is shorter.
   */
  acceptMs: 10 * 60_000,
  acceptInteractionMs: 20_000,
  acceptPauseMs: 10_000,
  waiting: 1_000,
  /** Chosen: after a lost session and at the start, lost messages this old are fetched, from this many channels and pages. */
  gapMs: 60 * 60_000,
  gapAtStartMs: 5 * 60_000,
  gapChannels: 100,
  gapPages: 5,
  /**
   * Chosen: a longer answer is cut to this many messages, and its whole text is attached to the last one as a file. Discord allows five
   * messages in 5 s.
   */
  messages: 10,
  /** Chosen: code lines of this width do not wrap. Embeds were seen to wrap at 40 (github.com/discordjs/discord.js/issues/3030). */
  tableColumns: 38,
  /** Chosen: progress should be readable at a glance. */
  progressLines: 12,
  progressLine: 200,
  /**
   * Discord states the limits of edits only in response headers (topics/rate-limits). A channel allows about 5 edits in 5 s, and a
   * workspace has many channels.
   */
  progressEditsPerMinute: 120,
  /** All processes of a bot share 50 requests a second (topics/rate-limits, "Global Rate Limit"). Some messages take two requests. */
  callsPerSecond: 25,
  /** The outbox caches the markers of this many messages and drops the oldest first. */
  cachedMarkers: 5_000,
  /** A connection that lasted this long resets the backoff. */
  stableMs: 10_000,
  /** Events may be lost before a dead connection is detected. This margin covers two of Discord's heartbeats. */
  gapMarginMs: 10_000,
  /** For ending the connection on stop. */
  closeMs: 1_000,
  /** On stop, the surface waits this long for events that it is accepting. */
  drainMs: 3_000,
  /** The surface remembers this many direct conversations, to fetch their messages after a lost session. */
  directChannels: 200,
} as const
