import { randomUUID } from 'node:crypto'
import type { EmulatorClock } from './emulator-clock.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import type { Block, ChannelKind, MessageMetadata, SlackChannel, SlackFile, SlackMessage, SlackUser } from './slack-model.ts'

/** A change in the workspace. The emulator makes the app's events from it. */
export type WorkspaceChange =
  | { readonly kind: 'posted'; readonly message: SlackMessage }
  | { readonly kind: 'edited'; readonly message: SlackMessage; readonly before: SlackMessage }
  | { readonly kind: 'deleted'; readonly message: SlackMessage; readonly before: SlackMessage }
  | { readonly kind: 'reacted'; readonly message: SlackMessage }
  | { readonly kind: 'joined'; readonly channel: SlackChannel; readonly user: string; readonly inviter: string | undefined }

/** A prompt that the app suggests in its direct conversation. People see `title`, and pressing it sends `message`. */
export interface SuggestedPrompt {
  readonly title: string
  readonly message: string
}

export interface NewMessage {
  readonly user: string
  readonly botId?: string | undefined
  readonly text: string
  readonly blocks?: readonly Block[]
  readonly threadTs?: string | undefined
  readonly metadata?: MessageMetadata | undefined
  readonly files?: readonly SlackFile[]
  readonly subtype?: string | undefined
  readonly visibleTo?: string | undefined
  readonly linkNames?: boolean
  readonly unfurlLinks?: boolean | undefined
  readonly unfurlMedia?: boolean | undefined
  readonly stream?: SlackMessage['stream']
}

const CHANNEL_PREFIX = { public: 'C', private: 'C', im: 'D', mpim: 'C' } as const satisfies Record<ChannelKind, string>
const TOMBSTONE_TEXT = 'This message was deleted.'

/** The state of a Slack workspace: people, channels, and messages with their history. It checks only whether things exist. */
export class Workspace {
  readonly teamId: string
  readonly teamName: string
  readonly users = new Map<string, SlackUser>()
  readonly channels = new Map<string, SlackChannel>()
  readonly files = new Map<string, SlackFile>()
  /** The members of each user group, by the group's id. */
  readonly userGroups = new Map<string, readonly string[]>()
  readonly #statuses = new Map<string, { readonly status: string; readonly until: number }>()
  readonly #prompts = new Map<string, readonly SuggestedPrompt[]>()
  readonly #messages = new Map<string, SlackMessage[]>()
  readonly #clock: EmulatorClock
  readonly #onChange: (change: WorkspaceChange) => void
  #lastMicroseconds = 0
  #counter = 0

  constructor(options: {
    teamId: string
    teamName: string
    clock: EmulatorClock
    onChange: (change: WorkspaceChange) => void
  }) {
    this.teamId = options.teamId
    this.teamName = options.teamName
    this.#clock = options.clock
    this.#onChange = options.onChange
  }

  /** Returns a new id in Slack's form: a prefix letter, and ten capital letters or digits. */
  newId(prefix: string): string {
    this.#counter += 1
    return `${prefix}0${this.#counter.toString(36).toUpperCase().padStart(9, '0')}`
  }

  /** Returns a new message id (`ts`) in Slack's form: Unix time in seconds with six decimals. */
  newTimestamp(): string {
    this.#lastMicroseconds = Math.max(this.#lastMicroseconds + 1, Math.floor(this.#clock.now() * 1000))
    const digits = this.#lastMicroseconds.toString()
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`
  }

  addUser(user: Partial<SlackUser> & { readonly name: string }): SlackUser {
    const isBot = user.isBot ?? false
    const added: SlackUser = {
      id: user.id ?? this.newId('U'),
      name: user.name,
      realName: user.realName ?? user.name,
      timeZone: user.timeZone ?? 'UTC',
      locale: user.locale ?? 'en-US',
      isBot,
      ...(isBot ? { botId: user.botId ?? this.newId('B') } : {}),
    }
    this.users.set(added.id, added)
    return added
  }

  addChannel(channel: { readonly name: string; readonly kind?: ChannelKind; readonly members: readonly string[] }): SlackChannel {
    const kind = channel.kind ?? 'public'
    const added: SlackChannel = {
      id: this.newId(CHANNEL_PREFIX[kind]),
      name: channel.name,
      kind,
      members: new Set(channel.members),
      isArchived: false,
    }
    this.channels.set(added.id, added)
    this.#messages.set(added.id, [])
    return added
  }

  /** Returns the direct conversation of two people. Creates it if it does not exist. */
  directChannel(first: string, second: string): SlackChannel {
    const existing = [...this.channels.values()].find(
      channel => channel.kind === 'im' && channel.members.has(first) && channel.members.has(second),
    )
    return existing ?? this.addChannel({ name: `${first}-${second}`, kind: 'im', members: [first, second] })
  }

  /** Adds a person to a channel. The channel then shows a message with the subtype `channel_join` that mentions the person. */
  join(channel: SlackChannel, user: string, inviter?: string): void {
    if (channel.members.has(user)) return
    channel.members.add(user)
    this.#onChange({ kind: 'joined', channel, user, inviter })
    const subtype = channel.kind === 'private' ? 'group_join' : 'channel_join'
    this.post(channel.id, { user, text: `<@${user}> has joined the channel`, subtype })
  }

  /** Sets the app's status in a thread. An empty text, the app's next post in the thread, or some time removes it. */
  setStatus(channel: string, threadTs: string, status: string): void {
    if (status === '') this.#statuses.delete(`${channel} ${threadTs}`)
    else this.#statuses.set(`${channel} ${threadTs}`, { status, until: this.#clock.elapsed() + SLACK_LIMITS.statusMs })
  }

  status(channel: string, threadTs: string): string | undefined {
    const shown = this.#statuses.get(`${channel} ${threadTs}`)
    return shown !== undefined && this.#clock.elapsed() < shown.until ? shown.status : undefined
  }

  suggestPrompts(channel: string, prompts: readonly SuggestedPrompt[]): void {
    this.#prompts.set(channel, prompts)
  }

  suggestedPrompts(channel: string): readonly SuggestedPrompt[] {
    return this.#prompts.get(channel) ?? []
  }

  react(message: SlackMessage, name: string, user: string): void {
    message.reactions.push({ name, user })
    this.#onChange({ kind: 'reacted', message })
  }

  /** Ends a stream. The message then accepts no more text. */
  endStream(message: SlackMessage): void {
    message.stream = undefined
  }

  /** Returns all messages of the channel in order, including deleted ones. */
  messages(channel: string): readonly SlackMessage[] {
    return this.#messages.get(channel) ?? []
  }

  /** Returns a message. Returns undefined if it was deleted, or if not everyone sees it. */
  find(channel: string, ts: string): SlackMessage | undefined {
    return this.messages(channel).find(
      message => message.ts === ts && message.deletedAt === undefined && message.visibleTo === undefined,
    )
  }

  /** Returns the replies in a thread. Leaves out deleted replies, and the thread's first message. */
  replies(channel: string, threadTs: string): readonly SlackMessage[] {
    return this.messages(channel).filter(
      message =>
        message.threadTs === threadTs &&
        message.ts !== threadTs &&
        message.deletedAt === undefined &&
        message.visibleTo === undefined,
    )
  }

  /** Removes a file from all messages. A message without any other content is removed too. */
  removeFile(file: SlackFile): void {
    this.files.delete(file.id)
    for (const message of [...this.#messages.values()].flat().filter(({ files }) => files.includes(file))) {
      const files = message.files.filter(other => other !== file)
      if (files.length === 0 && message.subtype === 'file_share') this.delete(message)
      else this.edit(message, message.user, { files })
    }
  }

  post(channel: string, message: NewMessage): SlackMessage {
    const posted: SlackMessage = {
      channel,
      ts: this.newTimestamp(),
      threadTs: message.threadTs,
      user: message.user,
      botId: message.botId,
      subtype: message.subtype,
      visibleTo: message.visibleTo,
      text: message.text,
      blocks: message.blocks ?? [],
      metadata: message.metadata,
      files: message.files ?? [],
      clientMessageId: message.botId === undefined ? randomUUID() : undefined,
      linkNames: message.linkNames ?? false,
      unfurlLinks: message.unfurlLinks,
      unfurlMedia: message.unfurlMedia,
      edited: undefined,
      deletedAt: undefined,
      versions: [],
      reactions: [],
      stream: message.stream,
    }
    posted.versions.push({ text: posted.text, blocks: posted.blocks, at: this.#clock.elapsed() })
    const messages = this.#messages.get(channel)
    if (messages === undefined) throw new Error(`There is no channel ${channel} in the emulated workspace`)
    messages.push(posted)
    if (posted.botId !== undefined && posted.threadTs !== undefined) this.setStatus(channel, posted.threadTs, '')
    this.#onChange({ kind: 'posted', message: posted })
    return posted
  }

  edit(
    message: SlackMessage,
    editor: string,
    change: Partial<Pick<SlackMessage, 'text' | 'blocks' | 'metadata' | 'files' | 'linkNames' | 'stream'>>,
  ): void {
    const before = { ...message }
    Object.assign(message, change)
    message.edited = { user: editor, ts: this.newTimestamp() }
    message.versions.push({ text: message.text, blocks: message.blocks, at: this.#clock.elapsed() })
    this.#onChange({ kind: 'edited', message, before })
  }

  /** Removes a message. If it has replies, "This message was deleted" stays in its place, so that the thread remains. */
  delete(message: SlackMessage): void {
    const before = { ...message }
    if (this.replies(message.channel, message.ts).length === 0) {
      message.deletedAt = this.#clock.elapsed()
      this.#onChange({ kind: 'deleted', message, before })
      return
    }
    message.subtype = 'tombstone'
    message.text = TOMBSTONE_TEXT
    message.blocks = []
    message.files = []
    message.versions.push({ text: message.text, blocks: [], at: this.#clock.elapsed() })
    this.#onChange({ kind: 'edited', message, before })
  }
}
