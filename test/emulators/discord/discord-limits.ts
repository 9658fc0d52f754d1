/**
 * All limits of the emulated Discord, with sources. Where sources differ, or give no number, the strictest reading is used. So whatever the emulator
 * accepts, Discord accepts too. Paths are those of docs.discord.com/developers (github.com/discord/discord-api-docs).
 */
export const DISCORD_LIMITS = {
  /**
   * Lengths count in UTF-16 units. A text has at least as many of these as characters. Discord documents these limits in resources/message,
   * "Create Message" and "Edit Message".
   */
  content: 2_000,
  nonce: 25,
  /** Discord compares nonces for "the past few minutes" (resources/message, "Create Message"). The emulator uses this time. */
  nonceMs: 180_000,
  embeds: 10,
  /**
   * The maximum length of all embeds of a message together, after trimming. Discord documents this limit in resources/message, "Embed Limits".
   */
  embedTotal: 6_000,
  embedTitle: 256,
  embedDescription: 4_096,
  embedFields: 25,
  embedFieldName: 256,
  embedFieldValue: 1_024,
  embedFooter: 2_048,
  embedAuthor: 256,
  /** Discord documents this limit in resources/message, "Allowed Mentions Object". */
  allowedMentionIds: 100,
  /** The maximum size of a whole request. Discord documents this limit in resources/message, "Create Message". */
  requestBytes: 25 * 1_024 * 1_024,
  /** The maximum size of each uploaded file. Discord documents this limit in reference, "Uploading Files". */
  fileBytes: 10 * 1_024 * 1_024,
  /** Discord documents this limit in resources/message, "Attachment Structure". */
  attachmentDescription: 1_024,
  /** Discord documents this limit in topics/opcodes-and-status-codes, 30015. */
  files: 10,
  /** Discord documents this limit in resources/message, "Get Channel Messages". */
  pageSize: 100,
  defaultPage: 50,
  /** Discord documents this limit in resources/message, "Bulk Delete Messages". */
  bulkDelete: { least: 2, most: 100, ageMs: 14 * 24 * 3_600_000 },
  /**
   * The maximum number of rows in a message without components of version 2. Discord documents this limit in components/reference, "Action Row".
   */
  actionRows: 5,
  buttons: 5,
  /** Discord documents this limit in components/reference, "Custom ID" and "Button". */
  customId: 100,
  buttonLabel: 80,
  buttonUrl: 512,
  /** Discord documents this limit in components/reference, "String Select". */
  selectOptions: 25,
  selectOption: 100,
  placeholder: 150,
  /**
   * The maximum number of components, nested ones included, in a message with IS_COMPONENTS_V2. Discord documents this limit in
   * components/reference.
   */
  components: 40,
  /** The maximum length of all text components of a message together. Source: github.com/discord/discord-api-docs/pull/8562. */
  componentText: 4_000,
  /** Discord documents this limit in interactions/receiving-and-responding, "Modal"; components/reference, "Text Input" and "Label". */
  modalTitle: 45,
  modalComponents: 5,
  textInput: 4_000,
  textInputLabel: 45,
  textInputPlaceholder: 100,
  /** Discord documents this limit in interactions/application-commands, "Application Command Structure". */
  commandName: 32,
  commandDescription: 100,
  commandOptions: 25,
  commandChoices: 25,
  commandChoiceName: 100,
  commandTotal: 8_000,
  /**
   * The maximum number of commands, by type (CHAT_INPUT, USER, MESSAGE). See Discord's interactions/application-commands, "Registering a
   * Command".
   */
  commands: { 1: 100, 2: 15, 3: 15 },
  commandCreatesADay: 200,
  /** Discord documents this limit in interactions/receiving-and-responding, "Interaction Callback". */
  acknowledgementMs: 3_000,
  interactionTokenMs: 15 * 60_000,
  /** Discord documents this limit in resources/channel, "Start Thread from Message". */
  threadName: 100,
  autoArchiveMinutes: [60, 1_440, 4_320, 10_080],
  slowmodeSeconds: 21_600,
  /** Discord documents this limit in resources/guild, "List Guild Members". */
  membersPage: 1_000,
  /** Discord documents this limit in resources/channel, "Trigger Typing Indicator". */
  typingMs: 10_000,
  /** Discord documents this limit in topics/rate-limits, "Global Rate Limit". */
  globalRate: { requests: 50, windowMs: 1_000 },
  /**
   * Answers with 401, 403 and 429 count, except 429 of the scope `shared`. Discord documents this limit in topics/rate-limits, "Invalid Request
   * Limit".
   */
  invalidRequests: { requests: 10_000, windowMs: 600_000 },
  /**
   * Only headers tell the limits of buckets, and they may change. Applications have seen: messages 5 in 5 s per channel
   * (github.com/discord/discord-api-docs/issues/20, alexemanuelol/rustplusplus/issues/475), webhooks 5 in 2 s
   * (birdie0.github.io/discord-webhooks-guide/other/rate_limits.html). The others are assumed to be like messages.
   */
  buckets: {
    messageCreate: { requests: 5, windowMs: 5_000 },
    messageEdit: { requests: 5, windowMs: 5_000 },
    messageDelete: { requests: 5, windowMs: 5_000 },
    bulkDelete: { requests: 5, windowMs: 5_000 },
    typing: { requests: 5, windowMs: 5_000 },
    thread: { requests: 5, windowMs: 5_000 },
    channelEdit: { requests: 5, windowMs: 5_000 },
    directChannel: { requests: 5, windowMs: 5_000 },
    commands: { requests: 5, windowMs: 5_000 },
    members: { requests: 10, windowMs: 10_000 },
    webhook: { requests: 5, windowMs: 2_000 },
  },
  /** Discord documents this limit in events/gateway, "Get Gateway Bot" and "Identifying". */
  sessionStarts: { total: 1_000, windowMs: 24 * 3_600_000 },
  identify: { concurrency: 1, windowMs: 5_000 },
  /** Discord documents this limit in events/gateway, "Rate Limiting" and "Sending Events". */
  gatewayEvents: { events: 120, windowMs: 60_000 },
  gatewayEventBytes: 4_096,
  /**
   * A session without heartbeats for two intervals is closed. Discord documents the interval in events/gateway, "Hello Event", with 45 s in its
   * example.
   */
  heartbeatIntervalMs: 41_250,
  /** A session can be resumed for "a few minutes" (events/gateway, "Initiating a Disconnect"). The emulator uses this time. */
  resumableMs: 180_000,
} as const
