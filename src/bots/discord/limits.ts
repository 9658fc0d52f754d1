/**
 * Discord's limits and numbers derived from them. Sources such as (resources/message) are pages of discord.com/developers/docs.
 * Lengths are in characters, times in milliseconds.
 */
export const DISCORD_LIMITS = {
  /** The maximum length of `content`: discord.com/developers/docs/resources/message, "Create Message". */
  content: 2_000,
  /**
   * The maximum length of an embed's description (resources/message, "Embed Limits"). All embeds of a message share 6,000
   * characters, but Clew sends one embed per message.
   */
  embedDescription: 4_096,
  /** The maximum length of `nonce`, which Discord uses to recognise a repeated post (resources/message, "Create Message"). */
  nonce: 25,
  /** A row has at most this many buttons (components/reference, "Action Row"). */
  buttonsInRow: 5,
  /** A message has at most this many rows of buttons. */
  buttonRows: 5,
  /** The maximum length of a button's label (components/reference, "Button"). */
  buttonLabel: 80,
  /**
   * The maximum length of the text in a form that a button opens, such as why an answer was bad. An estimate, not measured: a reason is a few sentences, and a
   * text input would allow 4,000 characters.
   */
  modalReason: 1_000,
  /** The maximum length of a thread's name (resources/channel, "Start Thread from Message"). */
  threadName: 100,
  /** A quiet thread leaves the channel list after this time. */
  threadArchiveMinutes: 1_440,
  /**
   * The maximum length of a question. A person's message allows 4,000 characters. A command's option would allow 6,000
   * (`max_length`, interactions/application-commands), but gets the same limit.
   */
  question: 4_000,
  jobName: 200,
  /** The maximum size of a file: 10 MiB, if nobody pays Discord for more (reference, "Uploading Files"). */
  fileBytes: 10 * 1_024 * 1_024,
  /** A message has at most this many files (topics/opcodes-and-status-codes, 30015). */
  files: 10,
  /**
   * The maximum length of an attachment's `description`. Discord uses it as the alt text (resources/message, "Attachment
   * Structure").
   */
  attachmentDescription: 1_024,
  /**
   * The limit for all files of a request. A whole request may have 25 MiB (resources/message, "Create Message"), so 1 MiB is left
   * for the text.
   */
  requestBytes: 24 * 1_024 * 1_024,
  /** One request deletes at most this many messages (resources/message, "Bulk Delete Messages"). */
  deletedTogether: 100,
  /** One request returns at most 100 messages (resources/message, "Get Channel Messages"). */
  messagesPage: 100,
  /**
   * A search for a marker reads this many pages. An estimate, not measured: the search usually starts within seconds of the post,
   * and a thread needs hours to grow this long.
   */
  markerPages: 5,
  /** An interaction's first response is due within this time (interactions/receiving-and-responding). */
  responseMs: 3_000,
  /** Discord accepts further responses to an interaction for 15 min. Clew stops 10 s earlier, because sending takes time. */
  tokenMs: 15 * 60_000 - 10_000,
  /** Clew tries for this long to accept an event, because Discord sends it only once. An estimate, not measured. */
  acceptMs: 10 * 60_000,
  /** Clew tries for this long to accept an interaction. The time is short, because a person waits for the response. */
  acceptInteractionMs: 20_000,
  /** The longest pause between two attempts to accept an event. */
  acceptPauseMs: 10_000,
  /** The maximum number of events that wait to be accepted. */
  waiting: 1_000,
  /** At most this many events of one person are handled at once, so that a flood from one person does not delay others. */
  eventsOfOne: 10,
  acknowledgementsOfOne: 50,
  /**
   * After a lost connection, Clew fetches missed messages that are at most this old. It reads at most `gapChannels` channels, and
   * `gapPages` pages of each.
   */
  gapMs: 60 * 60_000,
  /** When the bot starts, it fetches missed messages that are at most this old. */
  gapAtStartMs: 5 * 60_000,
  gapChannels: 100,
  gapPages: 5,
  /**
   * The maximum number of messages per answer. A longer answer is cut, and the last message has the whole text as a file. An
   * estimate, not measured: Discord allows five messages in 5 s.
   */
  messages: 10,
  /**
   * Code lines of at most this width do not wrap. An estimate, not measured: in embeds, lines were seen to wrap at 40 characters
   * (github.com/discordjs/discord.js/issues/3030).
   */
  tableColumns: 38,
  /** The maximum number of progress lines. An estimate, not measured: people should grasp progress at a glance. */
  progressLines: 12,
  /** The maximum length of a progress line. */
  progressLine: 200,
  /**
   * The maximum number of progress edits per minute in a server. A channel allows about 5 edits in 5 s, and a server has many
   * channels. Discord states its limits only in response headers (topics/rate-limits).
   */
  progressEditsPerMinute: 120,
  /**
   * Clew makes at most this many calls per second. Discord allows 50 requests per second (topics/rate-limits, "Global Rate
   * Limit"), and one call may make two requests.
   */
  callsPerSecond: 25,
  /** Clew remembers the markers of this many messages. A marker is the text by which Clew recognises its own post. */
  cachedMarkers: 5_000,
  /** A connection that lasts this long is stable. When it breaks, the pauses before reconnecting start again at the shortest. */
  stableMs: 10_000,
  /** After a lost connection, Clew also fetches messages from shortly before the loss, because some may not have arrived. */
  gapMarginMs: 10_000,
  closeMs: 1_000,
  /** When the bot stops, it waits at most this long for arrived events to be accepted. */
  drainMs: 3_000,
  /** Clew remembers this many direct conversations, so that it can fetch their messages after a lost connection. */
  directChannels: 200,
} as const
