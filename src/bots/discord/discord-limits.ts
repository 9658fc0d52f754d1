/** Every number that Discord sets or that was chosen because of one, with its source. Lengths are in characters, times in milliseconds. */
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
  /** interactions/application-commands: a string option's `max_length` is at most 6,000; a message of a person has at most 4,000. */
  question: 4_000,
  jobName: 200,
  /** reference, "Uploading Files": 10 MiB a file where nobody has paid for more. */
  fileBytes: 10 * 1_024 * 1_024,
  /** topics/opcodes-and-status-codes, 30015: files of a message. */
  files: 10,
  /** resources/message, "Attachment Structure": `description`, which is the alt text. */
  attachmentDescription: 1_024,
  /** resources/message, "Create Message": 25 MiB the whole request; the margin is for what stands around the files. */
  requestBytes: 24 * 1_024 * 1_024,
  /** resources/message, "Get Channel Messages": at most 100 a page. */
  messagesPage: 100,
  /** Chosen: a marker is looked for in so many pages; a thread gets that long in hours, a marker is looked for within seconds as a rule. */
  markerPages: 5,
  /** interactions/receiving-and-responding: the first response within 3 s, others by the token within 15 min. The margin is for the way there. */
  responseMs: 3_000,
  tokenMs: 15 * 60_000 - 10_000,
  /**
   * Chosen: Discord sends a message's event once. One that could not be accepted is tried again for so long, and so many at a time; for an interaction
   * somebody is waiting.
   */
  acceptMs: 10 * 60_000,
  acceptInteractionMs: 20_000,
  acceptPauseMs: 10_000,
  waiting: 1_000,
  /** Chosen: after a lost session, and at the start, what was written in between is fetched: so far back, of so many channels and messages each. */
  gapMs: 60 * 60_000,
  gapAtStartMs: 5 * 60_000,
  gapChannels: 100,
  gapPages: 5,
  /** Chosen: a longer answer is shown in so many messages, the last of which has the whole text as a file. Five messages in 5 s are let through. */
  messages: 10,
  /** Chosen: the columns of a code block that clients show without wrapping its lines; embeds have been seen to wrap at 40 (github.com/discordjs/discord.js/issues/3030). */
  tableColumns: 38,
  /** Chosen: a progress message stays a glance. */
  progressLines: 12,
  progressLine: 200,
  /** topics/rate-limits: limits are told by header only. About 5 edits in 5 s a channel are let through; one workspace has many channels. */
  progressEditsPerMinute: 120,
  /** topics/rate-limits, "Global Rate Limit": 50 requests a second for a bot, all its processes together; some messages take two. */
  callsPerSecond: 25,
} as const
