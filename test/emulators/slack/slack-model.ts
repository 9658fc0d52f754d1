/** A block as the app sent it. It is checked when it arrives, and not interpreted later. */
export type Block = { readonly [key: string]: unknown }

export interface SlackUser {
  readonly id: string
  readonly name: string
  readonly realName: string
  /** An IANA time zone, such as `Europe/Berlin`. */
  readonly timeZone: string
  /** The person's language setting, such as `de-DE`. */
  readonly locale: string
  readonly isBot: boolean
  /** The bot id (`B…`) of a bot user. Its posts contain it as `bot_id`. */
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

/** The content that a message had from one moment on. */
export interface MessageVersion {
  readonly text: string
  readonly blocks: readonly Block[]
  /** The time of the change, in milliseconds since the emulator started. */
  readonly at: number
}

/** A message in the workspace. Edits change this object, so tests read copies of it through `transcript`. */
export interface SlackMessage {
  readonly channel: string
  readonly ts: string
  readonly threadTs: string | undefined
  readonly user: string
  readonly botId: string | undefined
  subtype: string | undefined
  /** The only person who sees the message. Undefined if everybody sees it. */
  readonly visibleTo: string | undefined
  text: string
  blocks: readonly Block[]
  metadata: MessageMetadata | undefined
  files: readonly SlackFile[]
  readonly clientMessageId: string | undefined
  /** Whether `@channel` or `@name` in the text becomes a mention. The app asks for this with `link_names` or `parse: 'full'`. */
  linkNames: boolean
  unfurlLinks: boolean | undefined
  unfurlMedia: boolean | undefined
  edited: { readonly user: string; readonly ts: string } | undefined
  deletedAt: number | undefined
  readonly versions: MessageVersion[]
  readonly reactions: { readonly name: string; readonly user: string }[]
  /** Defined while the message is a stream that still accepts text. */
  stream: { readonly startedAt: number; readonly recipient: string | undefined } | undefined
}

/**
 * The channel and `ts` of a message, which identify it. The result of `post`, an entry of the transcript, and an answer of the API all contain
 * them.
 */
export interface MessageReference {
  readonly channel: string
  readonly ts: string
}
