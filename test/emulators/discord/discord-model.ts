import type { JsonObject } from './json.ts'

/** The channel types that the emulator supports. Discord documents all types in resources/channel, "Channel Types". */
export const CHANNEL_TYPE = { text: 0, direct: 1, publicThread: 11, privateThread: 12 } as const
export type ChannelType = (typeof CHANNEL_TYPE)[keyof typeof CHANNEL_TYPE]

/** Discord documents this in resources/message, "Message Types". */
export const MESSAGE_TYPE = {
  default: 0,
  threadCreated: 18,
  reply: 19,
  command: 20,
  threadStarter: 21,
  contextMenuCommand: 23,
} as const

/** Discord documents this in resources/message, "Message Flags". */
export const MESSAGE_FLAG = {
  suppressEmbeds: 1 << 2,
  hasThread: 1 << 5,
  ephemeral: 1 << 6,
  loading: 1 << 7,
  suppressNotifications: 1 << 12,
  componentsV2: 1 << 15,
} as const

export interface DiscordUser {
  readonly id: string
  /** The name by which tests find this person. It is unique. */
  readonly name: string
  readonly displayName: string
  readonly isBot: boolean
  /** The language that is set in the person's Discord client. */
  readonly locale: string
  /** If false, only friends may start a direct conversation with this person. */
  acceptsDirectMessages: boolean
}

export interface Role {
  readonly id: string
  readonly name: string
  permissions: bigint
  readonly mentionable: boolean
  readonly position: number
  /** The id of the bot that this role was made for. Undefined for other roles. */
  readonly botId: string | undefined
}

export interface Member {
  readonly userId: string
  readonly roles: Set<string>
  nick: string | undefined
  readonly joinedAt: number
}

export interface Guild {
  readonly id: string
  readonly name: string
  readonly ownerId: string
  readonly roles: Map<string, Role>
  readonly members: Map<string, Member>
}

/** Permissions in a channel that differ from the usual ones, for a role (`type` 0) or for a member (`type` 1). */
export interface Overwrite {
  readonly id: string
  readonly type: 0 | 1
  readonly allow: bigint
  readonly deny: bigint
}

export interface ThreadState {
  archived: boolean
  locked: boolean
  autoArchiveMinutes: number
  archiveChangedAt: number
  readonly members: Map<string, number>
}

export interface Channel {
  readonly id: string
  readonly type: ChannelType
  readonly guildId: string | undefined
  name: string
  /** The channel that a thread belongs to. Undefined for a channel that is not a thread. */
  readonly parentId: string | undefined
  /** The person who created a thread. Undefined for a channel that is not a thread. */
  readonly ownerId: string | undefined
  overwrites: readonly Overwrite[]
  /** The two people in a direct conversation. */
  readonly recipients: readonly string[]
  readonly thread: ThreadState | undefined
  isDeleted: boolean
}

export interface Attachment {
  readonly id: string
  readonly filename: string
  readonly description: string | undefined
  readonly contentType: string | undefined
  readonly content: Buffer
  readonly url: string
  /** True if the file is shown inside an embed or component, and therefore not below the message. */
  readonly isEmbedded: boolean
}

/** The people and roles that a message really mentions, after the limits in `allowed_mentions`. */
export interface Mentions {
  readonly users: readonly string[]
  readonly roles: readonly string[]
  readonly everyone: boolean
  /** Mentions of `everyone` and `here`. */
  readonly groups: readonly string[]
}

export interface MessageReference {
  readonly channelId: string
  readonly messageId: string | undefined
}

/** The content of a message and its display settings. Each edit creates a new body. */
export interface MessageBody {
  readonly content: string
  readonly embeds: readonly JsonObject[]
  readonly components: readonly JsonObject[]
  readonly attachments: readonly Attachment[]
  readonly flags: number
  readonly mentions: Mentions
}

export const EMPTY_BODY: MessageBody = {
  content: '',
  embeds: [],
  components: [],
  attachments: [],
  flags: 0,
  mentions: { users: [], roles: [], everyone: false, groups: [] },
}

export interface MessageVersion extends MessageBody {
  readonly at: number
}

export interface InteractionOrigin {
  readonly id: string
  readonly type: number
  readonly userId: string
  readonly commandName: string | undefined
  readonly originalMessageId: string | undefined
}

export interface Message {
  readonly id: string
  readonly channelId: string
  readonly guildId: string | undefined
  readonly authorId: string
  readonly type: number
  readonly createdAt: number
  readonly nonce: string | number | undefined
  readonly reference: MessageReference | undefined
  /** The only person who sees the message (flag EPHEMERAL). Undefined if everybody sees it. */
  readonly visibleTo: string | undefined
  readonly interaction: InteractionOrigin | undefined
  body: MessageBody
  readonly versions: MessageVersion[]
  /** The people who were notified when the message was posted. An edit notifies nobody. */
  readonly notified: readonly string[]
  editedAt: number | undefined
  deletedAt: number | undefined
  /** The id of the thread that was started from this message. */
  threadId: string | undefined
}
