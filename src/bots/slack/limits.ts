import { SIZES } from '../../base/sizes.ts'

/** Slack's limits and numbers derived from them, with sources. Lengths are in characters, times in milliseconds. */
export const SLACK_LIMITS = {
  /**
   * The maximum length of a part's escaped `text`. `chat.update` refuses a longer text with `msg_too_long`
   * (https://docs.slack.dev/reference/methods/chat.update). `chat.postMessage` allows 40,000, but any part may be edited later.
   * If Slack refuses the blocks, Clew sends the text alone, so the text has the whole content.
   */
  text: 4_000,
  /**
   * The maximum number of blocks in a message. Slack allows 50 (https://docs.slack.dev/reference/block-kit/blocks). The
   * difference is left for the footer.
   */
  blocks: 45,
  /** The maximum length of a header: https://docs.slack.dev/reference/block-kit/blocks/header-block. */
  header: 150,
  /**
   * The limits of tables. A message has one table of 100 rows with 20 cells
   * (https://docs.slack.dev/reference/block-kit/blocks/table-block and data-table-block). A table may have 10,000 characters, but
   * a part's `text` allows fewer.
   */
  tableRows: 100,
  tableColumns: 20,
  tables: 1,
  /**
   * A table with more rows than this has pages of this many rows. People can sort and filter such a table. An estimate, not
   * measured.
   */
  tablePage: 10,
  /**
   * The maximum length of an alt text. Slack refuses a longer one: `alt_txt_too_large`,
   * docs.slack.dev/reference/methods/files.getUploadURLExternal.
   */
  fileAltText: 1_000,
  /**
   * The maximum length of a chart's title, and other limits of charts:
   * https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block. Slack allows two charts per message, and an
   * answer has one.
   */
  chartTitle: 50,
  chartLabel: 20,
  chartSeries: 6,
  chartSegments: 6,
  chartPoints: 20,
  /**
   * The maximum length of text in a context block (https://docs.slack.dev/reference/block-kit/composition-objects/text-object).
   */
  smallPrint: 3_000,
  /** The maximum number of buttons in a block: https://docs.slack.dev/reference/block-kit/blocks/actions-block. */
  buttons: 25,
  /** The maximum length of a button's label: https://docs.slack.dev/reference/block-kit/block-elements/button-element. */
  buttonLabel: 75,
  /** The deepest `indent` of a list (https://docs.slack.dev/reference/block-kit/blocks/rich-text-block). */
  listIndent: 8,
  /**
   * The maximum number of spans (texts of one style) per message. An estimate, not measured: it keeps the JSON well below 17,694
   * bytes, where `msg_blocks_too_long` was seen (https://github.com/slackapi/bolt-js/issues/2867).
   */
  spans: 250,
  /**
   * The maximum number of messages per answer. A longer answer is cut, and a file has the whole text. An estimate, not measured:
   * Slack allows one message per second in a channel.
   */
  messages: 10,
  /** The maximum number of progress lines. An estimate, not measured: people should grasp progress at a glance. */
  progressLines: 12,
  /** The maximum length of a progress line. */
  progressLine: 200,
  /**
   * The maximum number of progress edits per minute. Tier 3 allows 50 calls per minute in a workspace
   * (https://docs.slack.dev/reference/methods/chat.update). Half of them are left for answers, because these are edits too.
   */
  progressEditsPerMinute: 25,
  /**
   * The maximum number of new streams per minute. Tier 2 allows 20 calls per minute in a workspace
   * (docs.slack.dev/reference/methods/chat.startStream and chat.stopStream). Half of them are left for stopping streams. Answers
   * without a stream are shown by edits.
   */
  streamStartsPerMinute: 10,
  /**
   * The maximum number of appends to streams per minute. Tier 4 allows 100 calls per minute in a workspace
   * (docs.slack.dev/reference/methods/chat.appendStream).
   */
  streamAppendsPerMinute: 80,
  /** After Slack has refused a stream, Clew starts no other stream for this long. An estimate, not measured. */
  streamRefusedMs: 600_000,
  /**
   * The interval between posts in a channel. Slack allows one per second, and short bursts
   * (docs.slack.dev/apis/web-api/rate-limits, "Posting messages").
   */
  postIntervalMs: 1_000,
  /**
   * The time limit for work before an acknowledgement. Slack expects the acknowledgement within 3 s, and a `trigger_id` expires
   * after 3 s. The difference leaves time for sending. Sources: https://docs.slack.dev/apis/events-api, "Responding to events";
   * https://docs.slack.dev/interactivity/handling-user-interaction.
   */
  responseMs: 2_400,
  /** At most this many events of one person are handled at once, so that a flood from one person does not delay others. */
  eventsOfOne: 10,
  /**
   * Limits of HTTP requests, estimated and not measured. `bodyBytes` is the maximum size of a signed body. `unsignedBytes` is the
   * maximum size of an unsigned body: Slack tests the connection with unsigned requests. At most `bodies` bodies with
   * `bodiesBytes` bytes in total are read at the same time before their signatures are checked. A body must arrive within
   * `bodyMs`, the time limit of an acknowledgement.
   */
  bodyBytes: SIZES.bodyBytes,
  unsignedBytes: 1_024,
  bodies: 64,
  bodiesBytes: 16_000_000,
  bodyMs: 3_000,
  /** Each chunk of an incoming body takes this much memory in addition to its content, in bytes. */
  chunkBytes: 512,
  /**
   * The maximum age of a signature. An older request may be a replay
   * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
   */
  signatureAgeS: 300,
  /** The time limit for an acknowledgement: https://docs.slack.dev/apis/events-api, "Responding to events". */
  acknowledgeMs: 3_000,
  /** Clew tries for this long to accept a question from a command or form. An estimate, not measured. */
  acceptInteractionMs: 20_000,
  /** The longest pause between two attempts to accept a question. */
  acceptPauseMs: 5_000,
  /** A question in the channel is cut to this many characters. The answer still covers the whole question. */
  shownQuestion: 2_000,
  /**
   * The maximum `max_length` of a form's field
   * (https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element).
   */
  inputText: 3_000,
  /**
   * The maximum length of the text in a form that a button opens, such as why an answer was bad. An estimate, not measured: a
   * reason is a few sentences.
   */
  modalReason: 1_000,
  /** Slack shows four prompts (https://docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts). */
  suggestedPrompts: 4,
  /** The maximum length of a suggested prompt's title. Slack documents no limit, so Clew uses that of a button's text. */
  promptTitle: 75,
  /**
   * The number of replies in one response. Slack allows 1,000 and recommends 200
   * (docs.slack.dev/reference/methods/conversations.replies).
   */
  repliesPage: 200,
  /**
   * A search reads at most this many pages. An estimate, not measured: Tier 3 allows 50 calls per minute, and other work needs
   * calls too.
   */
  repliesPages: 10,
  /** A search reads only replies up to this age. A run searches only for its own posts, and no run lasts this long. */
  repliesAgeMs: 24 * 60 * 60 * 1_000,
  /** The pause before the next call if Slack does not say how long to wait. */
  retryAfterMs: 30_000,
  /** A person's time zone and language are cached for this long. */
  personMs: 60 * 60_000,
  /** The time limit for looking up a person. It is short, because the first message and the answer wait for the look-up. */
  lookupMs: 2_000,
  /** The maximum number of people in the cache. A full cache drops its oldest entries first. */
  cachedPersons: 5_000,
  cachedConversations: 5_000,
  cachedThreads: 5_000,
  /**
   * A status is renewed after this time. Slack removes it after two minutes, or when the app posts
   * (docs.slack.dev/reference/methods/assistant.threads.setStatus).
   */
  statusRefreshMs: 90_000,
  /** The time limit of a call that sets a status. It is short, because a reply waits for the call. */
  statusCallMs: 2_000,
  cachedStatuses: 1_000,
  /** A connection that lasts this long is stable. When it breaks, the pauses before reconnecting start again at the shortest. */
  stableMs: 10_000,
  closeMs: 1_000,
  /** When the bot stops, events get this long to be accepted. Events that are accepted in time are still acknowledged. */
  drainMs: 3_000,
  /** The time limit for Slack's answer to a ping (a pong). A connection without a pong is given up. */
  pongMs: 5_000,
  /** The time limit for opening a connection. */
  helloMs: 10_000,
} as const
