/**
 * All limits of the emulated Slack, with sources. Where sources differ, the smaller number is used. So whatever the emulator accepts, Slack accepts
 * too.
 */
export const SLACK_LIMITS = {
  /**
   * The app must acknowledge an event, command or interaction within 3 s. Slack documents this at docs.slack.dev/apis/events-api, "Responding to
   * events".
   */
  acknowledgementMs: 3_000,
  /** Slack repeats a failed event almost at once, after 1 minute, and after 5 minutes: docs.slack.dev/apis/events-api, "Error handling". */
  retryDelaysMs: [0, 60_000, 300_000],
  /** Slack documents this limit at docs.slack.dev/apis/events-api/using-socket-mode, "Using multiple connections". */
  connections: 10,
  /**
   * The warning comes about 10 s before a disconnect. Slack documents this at docs.slack.dev/apis/events-api/using-socket-mode, "Disconnecting".
   */
  disconnectWarningMs: 10_000,
  /** A longer text is cut, not refused: docs.slack.dev/changelog/2018-04-truncating-really-long-messages. */
  text: 40_000,
  /** A longer text in an update is refused with `msg_too_long`: docs.slack.dev/reference/methods/chat.update. */
  updateText: 4_000,
  /** Slack documents this limit at docs.slack.dev/reference/methods/chat.postMessage, argument `markdown_text`. */
  markdownText: 12_000,
  /**
   * A stream ends after this time. The time begins with the stream, even if text is appended later. Sources:
   * github.com/slackapi/node-slack-sdk/issues/2702 and python-slack-sdk/issues/1859.
   */
  streamMs: 300_000,
  /** A status disappears after this time: docs.slack.dev/reference/methods/assistant.threads.setStatus. */
  statusMs: 120_000,
  /** docs.slack.dev/messaging/message-metadata mentions a limit without a number. With 16 KB, tests can cause `metadata_too_large`. */
  metadata: 16_384,
  /** Slack documents this limit at docs.slack.dev/reference/methods/conversations.replies and conversations.history, argument `limit`. */
  pageSize: 1_000,
  historyPage: 100,
  /** Slack documents this limit at docs.slack.dev/reference/block-kit/blocks. */
  blocks: 50,
  blockId: 255,
  /** Slack documents this limit at docs.slack.dev/reference/block-kit/composition-objects/text-object. */
  textObject: 3_000,
  /** Slack documents this limit at docs.slack.dev/reference/block-kit/blocks/section-block. */
  sectionText: 3_000,
  sectionFields: 10,
  sectionField: 2_000,
  /** Slack documents this limit at docs.slack.dev/reference/block-kit/blocks/header-block. */
  header: 150,
  /** Slack documents this limit at docs.slack.dev/reference/block-kit/blocks/context-block. */
  contextElements: 10,
  /** Slack documents this limit at docs.slack.dev/reference/block-kit/blocks/context-actions-block. */
  contextActions: 5,
  /** Slack documents this limit at docs.slack.dev/reference/block-kit/blocks/actions-block. */
  actionsElements: 25,
  /** The limit for all markdown blocks in one request together: docs.slack.dev/reference/block-kit/blocks/markdown-block. */
  markdownBlocks: 12_000,
  /**
   * From about 13,200 characters of text in blocks on, an application got `msg_blocks_too_long` (github.com/slackapi/bolt-js/issues/2509). The
   * emulator's limit is a little lower.
   */
  allBlockText: 13_000,
  /** Slack documents this limit at docs.slack.dev/reference/block-kit/blocks/image-block. */
  imageUrl: 3_000,
  imageText: 2_000,
  /** Slack documents this limit at docs.slack.dev/reference/methods/files.getUploadURLExternal, `alt_txt_too_large`. */
  fileAltText: 1_000,
  /** Slack documents this limit at docs.slack.dev/reference/block-kit/block-elements/button-element. */
  buttonText: 75,
  actionId: 255,
  buttonUrl: 3_000,
  buttonValue: 2_000,
  /** Slack documents this limit at docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object. */
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  /**
   * Slack documents this limit at docs.slack.dev/reference/block-kit/composition-objects/option-object. Select and overflow elements have pages
   * too.
   */
  optionText: 75,
  optionValue: 150,
  selectOptions: 100,
  overflowOptions: 5,
  /**
   * A table may have 100 rows and a header, 20 columns, and 10,000 characters: docs.slack.dev/reference/block-kit/blocks/table-block,
   * data-table-block.
   */
  tableRows: 101,
  tableColumns: 20,
  tableCharacters: 10_000,
  dataTablePageSize: 100,
  /** A message may have only one table block of each kind: docs.slack.dev/reference/block-kit/blocks/table-block, `only_one_table_allowed`. */
  tablesOfOneKind: 1,
  /** Slack documents this limit at docs.slack.dev/reference/block-kit/blocks/data-visualization-block. */
  charts: 2,
  chartTitle: 50,
  chartLabel: 20,
  chartSeries: 6,
  chartPoints: 20,
  /**
   * An app may post one message per second and channel, and "short bursts" (about 25 were seen in PSSlack#52). Slack documents this at
   * docs.slack.dev/apis/web-api/rate-limits, "Posting messages".
   */
  postsPerSecond: 1,
  postBurst: 5,
  /** The calls per minute that each tier allows, for each method and workspace: docs.slack.dev/apis/web-api/rate-limits. */
  tierPerMinute: { 1: 1, 2: 20, 3: 50, 4: 100 },
  /** A `response_url` can be used five times within 30 minutes: docs.slack.dev/interactivity/handling-user-interaction, "Message responses". */
  responseUrlUses: 5,
  responseUrlMs: 1_800_000,
  /** A `trigger_id` works only once, within 3 s: docs.slack.dev/interactivity/handling-user-interaction, "Modal responses". */
  triggerMs: 3_000,
  /** Slack documents this limit at docs.slack.dev/reference/views/modal-views and home-tab-views. */
  viewBlocks: 100,
  viewTitle: 24,
  viewButton: 24,
  privateMetadata: 3_000,
  callbackId: 255,
  /** Slack documents this limit at docs.slack.dev/reference/methods/views.open, error `view_too_large`. */
  viewBytes: 250_000,
  /** Slack documents this limit at docs.slack.dev/reference/block-kit/blocks/input-block. */
  inputLabel: 2_000,
  /** Slack documents this limit at docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element. */
  inputText: 3_000,
  inputPlaceholder: 150,
  /** Slack documents this limit at docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts, "Usage info". */
  suggestedPrompts: 4,
} as const
