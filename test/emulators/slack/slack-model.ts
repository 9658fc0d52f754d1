/** A block as it was received. It is checked on arrival, and not read afterwards. */
export type Block = { readonly [key: string]: unknown }

export interface SlackUser {
  readonly id: string
  readonly name: string
  readonly realName: string
  /** An IANA name, as in `users.info`. */
  readonly timeZone: string
  /** The language setting, such as `de-DE`. */
  readonly locale: string
  readonly isBot: boolean
  /** A bot user's bot id (`B…`). Its posts have it as `bot_id`. */
  readonly botId?: string
}

export type ChannelKind = 'public' | 'private' | 'im' | 'mpim'

export interface SlackChannel {
  readonly id: string
  readonly name: string
  readonly kind: ChannelKind
  readonly members: Set<string>
  isArchived: boolean
}

export interface SlackFile {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly owner: string
  readonly altText: string | undefined
  readonly content: Buffer
}

export interface MessageMetadata {
  readonly event_type: string
  readonly event_payload: { readonly [key: string]: unknown }
}

/** A message's content from one moment on. */
export interface MessageVersion {
  readonly text: string
  readonly blocks: readonly Block[]
  /** The number of milliseconds since the emulator's start. */
  readonly at: number
}

/** A message of the workspace. Edits change it, so tests read it through `transcript`, which returns copies. */
export interface SlackMessage {
  readonly channel: string
  readonly ts: string
  readonly threadTs: string | undefined
  readonly user: string
  readonly botId: string | undefined
  subtype: string | undefined
  /** The only person who sees the message. Undefined: everybody does. */
  readonly visibleTo: string | undefined
  text: string
  blocks: readonly Block[]
  metadata: MessageMetadata | undefined
  files: readonly SlackFile[]
  readonly clientMessageId: string | undefined
  /** Whether names in the text (`@channel`, `@name`) become mentions: `link_names`, `parse: 'full'`. */
  linkNames: boolean
  unfurlLinks: boolean | undefined
  unfurlMedia: boolean | undefined
  edited: { readonly user: string; readonly ts: string } | undefined
  deletedAt: number | undefined
  readonly versions: MessageVersion[]
  readonly reactions: { readonly name: string; readonly user: string }[]
  /** Set while the message is a stream that accepts text. */
  stream: { readonly startedAt: number; readonly recipient: string | undefined } | undefined
}

/**
 * Identifies a message by `channel` and `ts`. It may be the result of `post`, an entry of the transcript, or an answer of the API.
 */
export interface MessageReference {
  readonly channel: string
  readonly ts: string
}
