import { SIZES } from '../../base/sizes.ts'

/** Slack's limits and numbers derived from them, with sources. Lengths are in characters, times in milliseconds. */
export const SLACK_LIMITS = {
  /**
   * One part's escaped `text`. chat.update refuses longer text with `msg_too_long`
   * (https://docs.slack.dev/reference/methods/chat.update). `chat.postMessage` allows 40,000, but any part may be edited, and
   * only the text remains if Slack refuses the blocks.
   */
  text: 4_000,
  /** 50 a message (https://docs.slack.dev/reference/block-kit/blocks), less some for the footer. */
  blocks: 45,
  /** https://docs.slack.dev/reference/block-kit/blocks/header-block */
  header: 150,
  /**
   * 100 rows of 20 cells, and one table per message (https://docs.slack.dev/reference/block-kit/blocks/table-block and
   * data-table-block). `text` is shorter than their limit of 10,000 characters.
   */
  tableRows: 100,
  tableColumns: 20,
  tables: 1,
  /** Chosen: a longer table has pages of this many rows, which people can turn, sort and filter. */
  tablePage: 10,
  /** docs.slack.dev/reference/methods/files.getUploadURLExternal, `alt_txt_too_large`. */
  fileAltText: 1_000,
  /** https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block; Slack allows two a message, and an answer has one. */
  chartTitle: 50,
  chartLabel: 20,
  chartSeries: 6,
  chartSegments: 6,
  chartPoints: 20,
  /** In a context block (https://docs.slack.dev/reference/block-kit/composition-objects/text-object). */
  smallPrint: 3_000,
  /** https://docs.slack.dev/reference/block-kit/blocks/actions-block and block-elements/button-element. */
  buttons: 25,
  buttonLabel: 75,
  /** A list's `indent` (https://docs.slack.dev/reference/block-kit/blocks/rich-text-block). */
  listIndent: 8,
  /**
   * Chosen: keeps a message's JSON well below the size at which `msg_blocks_too_long` was seen (17,694,
   * https://github.com/slackapi/bolt-js/issues/2867).
   */
  spans: 250,
  /** Chosen: a longer answer appears in this many messages and continues as a file. Slack allows one message a second and channel. */
  messages: 10,
  /** Chosen: progress should be readable at a glance. */
  progressLines: 12,
  progressLine: 200,
  /**
   * Tier 3: 50 calls a minute and workspace (https://docs.slack.dev/reference/methods/chat.update). Progress uses this many, and
   * leaves the rest for answers, which are edits too.
   */
  progressEditsPerMinute: 25,
  /**
   * Tier 2: 20 calls a minute and workspace (docs.slack.dev/reference/methods/chat.startStream and chat.stopStream). This leaves
   * calls for stopping streams. Other answers appear by edits.
   */
  streamStartsPerMinute: 10,
  /** Tier 4: 100 calls a minute and workspace (docs.slack.dev/reference/methods/chat.appendStream). */
  streamAppendsPerMinute: 80,
  /** Chosen: after a refusal, a stream method is not tried for this long. */
  streamRefusedMs: 600_000,
  /** One a second and channel, apart from short bursts (docs.slack.dev/apis/web-api/rate-limits, "Posting messages"). */
  postIntervalMs: 1_000,
  /**
   * Slack expects an acknowledgement within 3 s, when a `trigger_id` also expires. Work takes this long at most; the rest is for
   * the transfer. Sources: https://docs.slack.dev/apis/events-api, "Responding to events";
   * https://docs.slack.dev/interactivity/handling-user-interaction.
   */
  responseMs: 2_400,
  /**
   * Chosen, for requests over HTTP: the bytes of a body, and of an unsigned one, by which Slack tests the connection. Before the
   * signature is checked, only this many bodies and bytes are read at once, each within the time of an acknowledgement.
   */
  bodyBytes: SIZES.bodyBytes,
  unsignedBytes: 1_024,
  bodies: 64,
  bodiesBytes: 16_000_000,
  bodyMs: 3_000,
  /** Memory for each chunk of an arriving body, beyond its bytes. */
  chunkBytes: 512,
  /** An older request may be a replay (https://docs.slack.dev/authentication/verifying-requests-from-slack). */
  signatureAgeS: 300,
  /** https://docs.slack.dev/apis/events-api, "Responding to events". */
  acknowledgeMs: 3_000,
  /** Chosen, as in Discord: a question by command or form is retried for this long, with these pauses. */
  acceptInteractionMs: 20_000,
  acceptPauseMs: 5_000,
  /** Chosen: a longer question is cut where the channel shows it, but answered completely. */
  shownQuestion: 2_000,
  /** `max_length` (https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element). */
  inputText: 3_000,
  /** Chosen, as in Discord: a reason is a few sentences. */
  modalReason: 1_000,
  /**
   * Four prompts (https://docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts). The length of a title is
   * undocumented, so it equals a button's.
   */
  suggestedPrompts: 4,
  promptTitle: 75,
  /** At most 1,000 a page, 200 recommended (https://docs.slack.dev/reference/methods/conversations.replies). */
  repliesPage: 200,
  /** Chosen: at Tier 3 (50 calls a minute), a search never uses up the budget of other calls. */
  repliesPages: 10,
  /** Chosen: a post is searched within the life of its run, with a margin. */
  repliesAgeMs: 24 * 60 * 60 * 1_000,
  /** The wait if Slack does not give one. */
  retryAfterMs: 30_000,
  /** A person's time zone and language are kept this long. */
  personMs: 60 * 60_000,
  /** Short, because placeholders and answers wait for it. */
  lookupMs: 2_000,
  /** People that are cached. The oldest go first, here and below. */
  cachedPersons: 5_000,
  /** Direct conversations that are cached. */
  cachedConversations: 5_000,
  /** Private threads that are cached. */
  cachedThreads: 5_000,
  /**
   * Slack removes a status after two minutes, or when the app posts
   * (docs.slack.dev/reference/methods/assistant.threads.setStatus).
   */
  statusRefreshMs: 90_000,
  /** Short, because a reply waits for it. */
  statusCallMs: 2_000,
  /** Conversations with a status. */
  cachedStatuses: 1_000,
  /** A connection that lasted this long resets the backoff. */
  stableMs: 10_000,
  /** The time limit for a closing handshake. */
  closeMs: 1_000,
  /** On stop, events that are being accepted get this long and are still acknowledged. */
  drainMs: 3_000,
} as const
