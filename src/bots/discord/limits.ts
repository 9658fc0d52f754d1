/** Discord's limits and numbers derived from them, with sources. Lengths are in characters, times in milliseconds. */
export const DISCORD_LIMITS = {
  /** The length of `content`: discord.com/developers/docs/resources/message, "Create Message". */
  content: 2_000,
  /**
   * The length of an embed's description (resources/message, "Embed Limits"). All embeds of a message share 6,000 characters, but Clew sends one
   * embed per message.
   */
  embedDescription: 4_096,
  /** The length of `nonce`. Discord checks that it is unique "in the past few minutes" (resources/message, "Create Message"). */
  nonce: 25,
  /** A row has at most this many buttons (components/reference, "Action Row"). */
  buttonsInRow: 5,
  /** A message has at most this many rows of buttons. */
  buttonRows: 5,
  /** The length of a button's label (components/reference, "Button"). */
  buttonLabel: 80,
  /** Chosen: the maximum length of a reason. A text input allows 4,000 characters. */
  modalReason: 1_000,
  /** The length of a thread's name (resources/channel, "Start Thread from Message"). */
  threadName: 100,
  /** A quiet thread leaves the channel list after this time. */
  threadArchiveMinutes: 1_440,
  /**
   * The maximum length of a person's message, here for the option of a command too. The option could have 6,000 (`max_length`,
   * interactions/application-commands).
   */
  question: 4_000,
  jobName: 200,
  /** The size limit of a file without a paid plan is 10 MiB (reference, "Uploading Files"). */
  fileBytes: 10 * 1_024 * 1_024,
  /** A message has at most this many files (topics/opcodes-and-status-codes, 30015). */
  files: 10,
  /** The length of an attachment's `description`. Discord uses it as the alt text (resources/message, "Attachment Structure"). */
  attachmentDescription: 1_024,
  /** A request has at most 25 MiB (resources/message, "Create Message"). One MiB is left for everything but the files. */
  requestBytes: 24 * 1_024 * 1_024,
  /** At most this many messages are deleted together (resources/message, "Bulk Delete Messages"). */
  deletedTogether: 100,
  /** A page has at most 100 messages (resources/message, "Get Channel Messages"). */
  messagesPage: 100,
  /**
   * Chosen: a search for a marker reads this many pages. The search usually starts within seconds of the post. A thread needs hours to grow this
   * long.
   */
  markerPages: 5,
  /** An interaction's first response is due within this time (interactions/receiving-and-responding). */
  responseMs: 3_000,
  /** An interaction's token accepts further responses for 15 min. The difference leaves time for the transfer. */
  tokenMs: 15 * 60_000 - 10_000,
  /** Chosen: an event that could not be accepted is retried for this long, because Discord sends it only once. */
  acceptMs: 10 * 60_000,
  /** The same time for an interaction. It is shorter, because somebody waits for the response. */
  acceptInteractionMs: 20_000,
  /** The longest pause between retries. */
  acceptPauseMs: 10_000,
  /** The maximum number of events that wait to be accepted. */
  waiting: 1_000,
  /** Chosen: this many events of one person are accepted in parallel. The person's other events wait, so that a flood delays nobody else. */
  eventsOfOne: 10,
  acknowledgementsOfOne: 50,
  /** Chosen: after a lost session, the messages of this time are fetched again, from at most `gapChannels` channels and `gapPages` pages each. */
  gapMs: 60 * 60_000,
  /** The same time for the start of the bot. */
  gapAtStartMs: 5 * 60_000,
  gapChannels: 100,
  gapPages: 5,
  /**
   * Chosen: the maximum number of messages per answer. A longer answer is cut, and the last message has the whole text as a file. Discord allows five
   * messages in 5 s.
   */
  messages: 10,
  /**
   * Chosen: code lines of this width do not wrap. In embeds, code was seen to wrap at 40 (github.com/discordjs/discord.js/issues/3030).
   */
  tableColumns: 38,
  /** Chosen: the maximum number of progress lines. People should grasp progress at a glance. */
  progressLines: 12,
  /** The maximum length of a progress line. */
  progressLine: 200,
  /**
   * Discord states the limits of edits only in response headers (topics/rate-limits). A channel allows about 5 edits in 5 s, and a server has many
   * channels.
   */
  progressEditsPerMinute: 120,
  /** All processes of a bot share 50 requests a second (topics/rate-limits, "Global Rate Limit"). Some messages take two requests. */
  callsPerSecond: 25,
  /** The outbox caches the markers of this many messages and drops the oldest first. */
  cachedMarkers: 5_000,
  /** If a connection has lasted this long, the pauses before reconnecting start again at the shortest. */
  stableMs: 10_000,
  /** Events may be lost before a dead connection is detected. This margin covers two of Discord's heartbeats. */
  gapMarginMs: 10_000,
  closeMs: 1_000,
  /** On stop, the surface waits this long for the acceptance of events under way. */
  drainMs: 3_000,
  /** The surface remembers this many direct conversations. After a lost session, it fetches their messages. */
  directChannels: 200,
} as const
