/**
 * This file lists the scopes, events, commands and shortcuts of Clew's Slack app. A test compares them with `app.manifest.yaml`.
 */

/** The scopes of the bot token, with the purpose of each. Methods and their scopes: https://docs.slack.dev/reference/methods. */
export const SLACK_BOT_SCOPES = {
  'app_mentions:read': 'hearing mentions',
  'assistant:write': 'suggesting questions in the direct conversation',
  'channels:history': 'hearing follow-ups in public channels; finding its own posts after a crash',
  'channels:read': 'who is in a public channel, where access goes by channel',
  'chat:write': 'answering',
  commands: 'the slash commands and the message shortcut',
  'files:write': 'attaching results',
  'groups:history': 'the same as in public channels, in private ones',
  'groups:read': 'who is in a private channel, where access goes by channel',
  'im:history': 'hearing direct messages',
  'im:write': 'opening the direct conversation for what one person alone may see',
  'metadata.message:read': 'recognising its own posts, so that nothing is posted twice',
  'mpim:history': 'the same as in channels, in group conversations',
  'mpim:read': 'who is in a group conversation, where access goes by channel',
  'usergroups:read': 'who is in a user group, where access goes by group',
  'users:read': 'the time zone of whoever asks',
} as const

/** The subscribed events, with the scope that each needs: https://docs.slack.dev/reference/events. */
export const SLACK_EVENTS = {
  app_home_opened: undefined,
  app_mention: 'app_mentions:read',
  'message.channels': 'channels:history',
  'message.groups': 'groups:history',
  'message.im': 'im:history',
  'message.mpim': 'mpim:history',
} as const satisfies Readonly<Record<string, keyof typeof SLACK_BOT_SCOPES | undefined>>

/**
 * The slash commands. Slack does not send a command that somebody types in a thread:
 * https://docs.slack.dev/interactivity/implementing-slash-commands.
 */
export const SLACK_COMMANDS = {
  '/ask': 'ask',
  '/lineage': 'lineage',
  '/subscriptions': 'subscriptions',
  '/usage': 'usage',
  '/console': 'console',
} as const

/** The id of Clew's entry in the menu of every message. */
export const ASK_ABOUT_SHORTCUT = 'ask_about_message'
