import { SIZES } from '../../sizes.ts'

/** Every number that Slack sets or that was chosen because of one, with its source. Lengths are in characters, times in milliseconds. */
export const SLACK_LIMITS = {
  /**
   * One part's `text`, escaped. https://docs.slack.dev/reference/methods/chat.update: longer text is refused with `msg_too_long`. `chat.postMessage`
   * takes 40,000, but every part may be edited, and its text is all that is left when its blocks are refused.
   */
  text: 4_000,
  /** https://docs.slack.dev/reference/block-kit/blocks: 50 a message; some are kept for what stands under an answer. */
  blocks: 45,
  /** https://docs.slack.dev/reference/block-kit/blocks/header-block */
  header: 150,
  /**
   * https://docs.slack.dev/reference/block-kit/blocks/table-block and data-table-block: 100 rows of 20 cells, and `only_one_table_allowed` a message. Their
   * 10,000 characters are never reached: `text` is shorter.
   */
  tableRows: 100,
  tableColumns: 20,
  tables: 1,
  /** Chosen: a longer table is shown in pages of so many rows, which people turn, sort and filter themselves. */
  tablePage: 10,
  /** https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block; two a message are let through, an answer has one. */
  /** docs.slack.dev/reference/methods/files.getUploadURLExternal, `alt_txt_too_large`. */
  fileAltText: 1_000,
  chartTitle: 50,
  chartLabel: 20,
  chartSeries: 6,
  chartSegments: 6,
  chartPoints: 20,
  /** https://docs.slack.dev/reference/block-kit/composition-objects/text-object: in a context block. */
  smallPrint: 3_000,
  /** https://docs.slack.dev/reference/block-kit/blocks/actions-block and block-elements/button-element. */
  buttons: 25,
  buttonLabel: 75,
  /** https://docs.slack.dev/reference/block-kit/blocks/rich-text-block: a list's `indent`. */
  listIndent: 8,
  /** Chosen: a message's JSON stays far below the size at which `msg_blocks_too_long` was seen (17,694, https://github.com/slackapi/bolt-js/issues/2867). */
  spans: 250,
  /** Chosen: a longer answer is shown in so many messages and goes on as a file. One message a second and channel is let through. */
  messages: 10,
  /** Chosen: a progress message stays a glance. */
  progressLines: 12,
  progressLine: 200,
  /**
   * https://docs.slack.dev/reference/methods/chat.update is Tier 3: 50 calls a minute and workspace. Progress may use this many, so that answers, which are
   * edits too, always find room.
   */
  progressEditsPerMinute: 25,
  /**
   * docs.slack.dev/reference/methods/chat.startStream and chat.stopStream are Tier 2: 20 calls a minute and workspace. So many answers may be streamed in a
   * minute that what must be stopped can be; the others are shown by edits.
   */
  streamStartsPerMinute: 10,
  /** docs.slack.dev/reference/methods/chat.appendStream is Tier 4: 100 calls a minute and workspace. */
  streamAppendsPerMinute: 80,
  /** Chosen: a method for streams that was refused is not tried again for so long. */
  streamRefusedMs: 600_000,
  /** docs.slack.dev/apis/web-api/rate-limits, "Posting messages": one a second and channel; short bursts are let through. */
  postIntervalMs: 1_000,
  /**
   * https://docs.slack.dev/apis/events-api, "Responding to events", and https://docs.slack.dev/interactivity/handling-user-interaction: an acknowledgement within
   * 3 s, in which a `trigger_id` expires too. So long is worked on what somebody waits for; the rest is for the way there.
   */
  responseMs: 2_400,
  /**
   * Chosen, for requests over HTTP: a body may have so many bytes, and one that is not signed, by which Slack tests the connection, so many. Before the signature is
   * checked so many bodies are read at a time, with so many bytes together; each has the time within which Slack wants its answer.
   */
  bodyBytes: SIZES.bodyBytes,
  unsignedBytes: 1_024,
  bodies: 64,
  bodiesBytes: 16_000_000,
  bodyMs: 3_000,
  /** Memory that each piece of an arriving body takes beside its bytes. */
  chunkBytes: 512,
  /** https://docs.slack.dev/authentication/verifying-requests-from-slack: an older request may be somebody's copy. */
  signatureAgeS: 300,
  /** https://docs.slack.dev/apis/events-api, "Responding to events". */
  acknowledgeMs: 3_000,
  /** Chosen, as in Discord: a question by command or form that could not be accepted is tried again for so long, with such pauses. */
  acceptInteractionMs: 20_000,
  acceptPauseMs: 5_000,
  /** Chosen: a question that is repeated in the channel is cut there, not where it is answered. */
  shownQuestion: 2_000,
  /** https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element: `max_length`. */
  inputText: 3_000,
  /** Chosen, as in Discord: a reason is a few sentences. */
  modalReason: 1_000,
  /** https://docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts: four. The length of a title is told nowhere: as of a button. */
  suggestedPrompts: 4,
  promptTitle: 75,
  /** https://docs.slack.dev/reference/methods/conversations.replies: at most 1,000 a page, 200 recommended. */
  repliesPage: 200,
  /** Chosen: at Tier 3 (50 calls a minute) a search never uses up the budget of the others. */
  repliesPages: 10,
  /** Chosen: a post is looked for within the life of the run that made it, with room to spare. */
  repliesAgeMs: 24 * 60 * 60 * 1_000,
} as const
