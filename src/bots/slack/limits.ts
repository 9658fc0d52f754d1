import { SIZES } from '../../base/sizes.ts'

/** Slack's limits and numbers derived from them, with sources. Lengths are in characters, times in milliseconds. */
export const SLACK_LIMITS = {
  /**
   * The length of a part's escaped `text`. `chat.update` refuses longer text with `msg_too_long`
   * (https://docs.slack.dev/reference/methods/chat.update). `chat.postMessage` allows 40,000, but an edit may come later to any part. If
   * Slack refuses the blocks, the text must say everything.
   */
  text: 4_000,
  /** A message has at most 50 blocks (https://docs.slack.dev/reference/block-kit/blocks). This number leaves some blocks for the footer. */
  blocks: 45,
  /** The length of a header: https://docs.slack.dev/reference/block-kit/blocks/header-block. */
  header: 150,
  /**
   * A table has at most 100 rows of 20 cells, and a message one table (https://docs.slack.dev/reference/block-kit/blocks/table-block and
   * data-table-block). A table may have 10,000 characters, but a part's `text` allows fewer.
   */
  tableRows: 100,
  tableColumns: 20,
  tables: 1,
  /** Chosen: a longer table is shown in pages of this many rows, which people can sort and filter. */
  tablePage: 10,
  /** A longer alt text is refused with `alt_txt_too_large`: docs.slack.dev/reference/methods/files.getUploadURLExternal. */
  fileAltText: 1_000,
  /**
   * Slack allows two charts a message, and an answer has one: https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block.
   */
  chartTitle: 50,
  chartLabel: 20,
  chartSeries: 6,
  chartSegments: 6,
  chartPoints: 20,
  /** The length of text in a context block (https://docs.slack.dev/reference/block-kit/composition-objects/text-object). */
  smallPrint: 3_000,
  /**
   * The most buttons in a block, and the length of a label: https://docs.slack.dev/reference/block-kit/blocks/actions-block and
   * block-elements/button-element.
   */
  buttons: 25,
  buttonLabel: 75,
  /** The deepest `indent` of a list (https://docs.slack.dev/reference/block-kit/blocks/rich-text-block). */
  listIndent: 8,
  /**
   * Chosen: at most this many spans a message keep its JSON well below the size at which `msg_blocks_too_long` was seen (17,694,
   * https://github.com/slackapi/bolt-js/issues/2867).
   */
  spans: 250,
  /** Chosen: a longer answer is cut to this many messages, and a file continues it. Slack allows one message per second in a channel. */
  messages: 10,
  /** Chosen: progress has at most this many lines of this length, so that people grasp it at a glance. */
  progressLines: 12,
  progressLine: 200,
  /**
   * Tier 3 allows 50 calls per minute in a workspace (https://docs.slack.dev/reference/methods/chat.update). Progress uses this number of
   * them. The rest is for answers, which also arrive by edits.
   */
  progressEditsPerMinute: 25,
  /**
   * Tier 2 allows 20 calls per minute in a workspace (docs.slack.dev/reference/methods/chat.startStream and chat.stopStream). Starts of
   * streams use this number of them, and the rest is for stopping streams. Answers without a stream appear by edits.
   */
  streamStartsPerMinute: 10,
  /** Tier 4 allows 100 calls per minute in a workspace (docs.slack.dev/reference/methods/chat.appendStream). */
  streamAppendsPerMinute: 80,
  /** Chosen: after Slack refused a stream, no stream is tried for this long. */
  streamRefusedMs: 600_000,
  /** Slack allows one post per second in a channel, and short bursts (docs.slack.dev/apis/web-api/rate-limits, "Posting messages"). */
  postIntervalMs: 1_000,
  /**
   * Slack expects an acknowledgement within 3 s. A `trigger_id` also expires after 3 s. Work may take this long. The rest of the 3 s is for
   * the transfer. Sources: https://docs.slack.dev/apis/events-api, "Responding to events";
   * https://docs.slack.dev/interactivity/handling-user-interaction.
   */
  responseMs: 2_400,
  /**
   * Chosen: limits of requests over HTTP. `bodyBytes` bounds a body. `unsignedBytes` bounds an unsigned body, because Slack tests the
   * connection with unsigned requests. Before signatures are checked, at most `bodies` bodies and `bodiesBytes` bytes are read at once.
   * Each body may take `bodyMs`, the time limit of an acknowledgement.
   */
  bodyBytes: SIZES.bodyBytes,
  unsignedBytes: 1_024,
  bodies: 64,
  bodiesBytes: 16_000_000,
  bodyMs: 3_000,
  /** The memory that each chunk of an arriving body takes in addition to its bytes. */
  chunkBytes: 512,
  /** A request with an older signature may be a replay (https://docs.slack.dev/authentication/verifying-requests-from-slack). */
  signatureAgeS: 300,
  /** The time for an acknowledgement: https://docs.slack.dev/apis/events-api, "Responding to events". */
  acknowledgeMs: 3_000,
  /** Chosen, as for Discord: accepting a question from a command or form is retried for this long, with these pauses. */
  acceptInteractionMs: 20_000,
  acceptPauseMs: 5_000,
  /** Chosen: the channel shows at most this much of a question. The whole question is answered. */
  shownQuestion: 2_000,
  /** The largest `max_length` of a form's field (https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element). */
  inputText: 3_000,
  /** Chosen, as for Discord: a reason is a few sentences. */
  modalReason: 1_000,
  /**
   * Slack shows four prompts (https://docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts). The length of their titles
   * is undocumented, so a button's length is used.
   */
  suggestedPrompts: 4,
  promptTitle: 75,
  /** Slack allows 1,000 replies a page and recommends 200 (https://docs.slack.dev/reference/methods/conversations.replies). */
  repliesPage: 200,
  /** Chosen: a search reads this many pages. Tier 3 allows 50 calls a minute, so a search of this length leaves calls for other work. */
  repliesPages: 10,
  /** Chosen: only replies up to this age are searched. A search for a post happens within the life of its run, which is shorter. */
  repliesAgeMs: 24 * 60 * 60 * 1_000,
  /** The wait before another call if Slack names no time. */
  retryAfterMs: 30_000,
  /** A person's time zone and language are kept this long. */
  personMs: 60 * 60_000,
  /** The time limit for looking a person up. It is short, because placeholders and answers wait for the look-up. */
  lookupMs: 2_000,
  /** This many people are cached. In this and the following caches, the oldest entries go first. */
  cachedPersons: 5_000,
  /** This many direct conversations are cached. */
  cachedConversations: 5_000,
  /** This many private threads are cached. */
  cachedThreads: 5_000,
  /**
   * A status is renewed after this time. Slack removes it after two minutes, or when the app posts
   * (docs.slack.dev/reference/methods/assistant.threads.setStatus).
   */
  statusRefreshMs: 90_000,
  /** The time limit of a call that sets a status. It is short, because a reply waits for the call. */
  statusCallMs: 2_000,
  /** The statuses of this many conversations are cached. */
  cachedStatuses: 1_000,
  /** A connection that lasted this long resets the backoff. */
  stableMs: 10_000,
  /** The time limit for a closing handshake. */
  closeMs: 1_000,
  /** On stop, events that are being accepted get this long, and are still acknowledged if they finish in time. */
  drainMs: 3_000,
  /** The time limits for the answer to a ping and for opening a connection. Without the answer to a ping, a connection counts as dead. */
  pongMs: 5_000,
  helloMs: 10_000,
} as const
