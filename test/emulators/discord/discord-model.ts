import type { JsonObject } from './json.ts'

/** The channel types that the emulator supports. Source: resources/channel, "Channel Types". */
export const CHANNEL_TYPE = { text: 0, direct: 1, publicThread: 11, privateThread: 12 } as const
export type ChannelType = (typeof CHANNEL_TYPE)[keyof typeof CHANNEL_TYPE]

/** resources/message, "Message Types". */
export const MESSAGE_TYPE = {
  default: 0,
  threadCreated: 18,
  reply: 19,
  command: 20,
  threadStarter: 21,
  contextMenuCommand: 23,
} as const

/** resources/message, "Message Flags". */
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
  /** The emulator finds people by this name, so it is unique. */
  readonly name: string
  readonly displayName: string
  readonly isBot: boolean
  /** The language of the person's client. */
  readonly locale: string
  /** If false, only friends may start a conversation with this person. */
  acceptsDirectMessages: boolean
}

export interface Role {
  readonly id: string
  readonly name: string
  permissions: bigint
  readonly mentionable: boolean
  readonly position: number
  /** The bot to which this role belongs. */
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

/** The permissions of a role (`type` 0) or of a member (`type` 1) in a channel. */
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
  /** The channel of a thread. Undefined if this is no thread. */
  readonly parentId: string | undefined
  /** The creator of a thread. Undefined if this is no thread. */
  readonly ownerId: string | undefined
  overwrites: readonly Overwrite[]
  /** The two people of a direct channel. */
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
  /** Whether the file is shown inside an embed or component, and so not below the message. */
  readonly isEmbedded: boolean
}

/** The people and roles that a message mentions, limited by `allowed_mentions`. */
export interface Mentions {
  readonly users: readonly string[]
  readonly roles: readonly string[]
  readonly everyone: boolean
  /** `everyone` and `here`. */
  readonly groups: readonly string[]
}

export interface MessageReference {
  readonly channelId: string
  readonly messageId: string | undefined
}

/** The content of a message and its display settings. An edit makes a new one. */
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
  /** The only person who sees the message (EPHEMERAL). */
  readonly visibleTo: string | undefined
  readonly interaction: InteractionOrigin | undefined
  body: MessageBody
  readonly versions: MessageVersion[]
  /** The people whom the post notified. Edits notify nobody. */
  readonly notified: readonly string[]
  editedAt: number | undefined
  deletedAt: number | undefined
  /** The thread that was started from the message. */
  threadId: string | undefined
}
