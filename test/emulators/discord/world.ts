import type { EmulatorClock } from '../slack/emulator-clock.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import {
  CHANNEL_TYPE,
  type Channel,
  type DiscordUser,
  EMPTY_BODY,
  type Guild,
  MESSAGE_FLAG,
  MESSAGE_TYPE,
  type Member,
  type Message,
  type MessageBody,
  type Overwrite,
  type Role,
} from './discord-model.ts'
import { notifiedBy } from './notified-users.ts'
import { PERMISSIONS, type PermissionName, permissionBits, permissionsIn } from './permissions.ts'
import { Snowflakes } from './snowflakes.ts'

/** A change in the emulated Discord. The gateway sends it to every session that may know it. */
export type WorldChange =
  | { readonly kind: 'message_created'; readonly message: Message }
  | { readonly kind: 'message_updated'; readonly message: Message }
  | { readonly kind: 'message_deleted'; readonly message: Message }
  | { readonly kind: 'messages_deleted'; readonly messages: readonly Message[]; readonly channel: Channel }
  | { readonly kind: 'channel_created' | 'channel_updated' | 'channel_deleted'; readonly channel: Channel }
  | { readonly kind: 'member_added' | 'member_updated' | 'member_removed'; readonly guild: Guild; readonly userId: string }
  | { readonly kind: 'guild_joined' | 'guild_left'; readonly guild: Guild; readonly userId: string }
  | { readonly kind: 'thread_joined'; readonly channel: Channel; readonly userId: string }
  | { readonly kind: 'typing'; readonly channel: Channel; readonly userId: string; readonly at: number }

export type MessageDraft = Pick<Message, 'authorId'> & {
  readonly body: MessageBody
  readonly type?: number
  readonly nonce?: string | number | undefined
  readonly reference?: Message['reference']
  readonly visibleTo?: string | undefined
  readonly interaction?: Message['interaction']
}

const MEMBER_PERMISSIONS: readonly PermissionName[] = [
  'VIEW_CHANNEL',
  'SEND_MESSAGES',
  'EMBED_LINKS',
  'ATTACH_FILES',
  'READ_MESSAGE_HISTORY',
  'ADD_REACTIONS',
  'USE_APPLICATION_COMMANDS',
  'CREATE_PUBLIC_THREADS',
  'SEND_MESSAGES_IN_THREADS',
]

/** The state of the emulated Discord: users, servers, channels, threads and messages. It checks no permissions; its callers do. */
export class World {
  readonly users = new Map<string, DiscordUser>()
  readonly guilds = new Map<string, Guild>()
  readonly channels = new Map<string, Channel>()
  readonly clock: EmulatorClock
  readonly #snowflakes: Snowflakes
  readonly #messages = new Map<string, Message[]>()
  readonly #typing = new Map<string, Map<string, number>>()
  readonly #onChange: (change: WorldChange) => void

  constructor(options: { clock: EmulatorClock; onChange: (change: WorldChange) => void }) {
    this.clock = options.clock
    this.#snowflakes = new Snowflakes(() => options.clock.now())
    this.#onChange = options.onChange
  }

  newId(): string {
    return this.#snowflakes.next()
  }

  addUser(user: Partial<DiscordUser> & { readonly name: string }): DiscordUser {
    const added: DiscordUser = {
      id: this.newId(),
      displayName: user.name,
      isBot: false,
      locale: 'en-US',
      acceptsDirectMessages: true,
      ...user,
    }
    this.users.set(added.id, added)
    return added
  }

  addGuild(name: string, ownerId: string): Guild {
    const id = this.newId()
    const everyone: Role = {
      id,
      name: '@everyone',
      permissions: permissionBits(MEMBER_PERMISSIONS),
      mentionable: false,
      position: 0,
      botId: undefined,
    }
    const guild: Guild = { id, name, ownerId, roles: new Map([[id, everyone]]), members: new Map() }
    this.guilds.set(id, guild)
    this.addMember(guild, ownerId)
    return guild
  }

  addRole(guild: Guild, role: Partial<Role> & { readonly name: string }): Role {
    const added: Role = {
      id: this.newId(),
      permissions: 0n,
      mentionable: false,
      position: guild.roles.size,
      botId: undefined,
      ...role,
    }
    guild.roles.set(added.id, added)
    return added
  }

  addMember(guild: Guild, userId: string, roles: readonly string[] = []): Member {
    const member: Member = { userId, roles: new Set(roles), nick: undefined, joinedAt: this.clock.now() }
    guild.members.set(userId, member)
    const isBot = this.users.get(userId)?.isBot === true
    this.#onChange({ kind: isBot ? 'guild_joined' : 'member_added', guild, userId })
    return member
  }

  giveRole(guild: Guild, userId: string, roleId: string): void {
    guild.members.get(userId)?.roles.add(roleId)
    this.#onChange({ kind: 'member_updated', guild, userId })
  }

  removeMember(guild: Guild, userId: string): void {
    if (!guild.members.delete(userId)) return
    this.#onChange({ kind: 'member_removed', guild, userId })
    if (this.users.get(userId)?.isBot === true) this.#onChange({ kind: 'guild_left', guild, userId })
  }

  addChannel(guild: Guild, name: string, overwrites: readonly Overwrite[] = []): Channel {
    const channel: Channel = {
      id: this.newId(),
      type: CHANNEL_TYPE.text,
      guildId: guild.id,
      name,
      parentId: undefined,
      ownerId: undefined,
      overwrites,
      recipients: [],
      thread: undefined,
      isDeleted: false,
    }
    this.channels.set(channel.id, channel)
    this.#onChange({ kind: 'channel_created', channel })
    return channel
  }

  /**
   * Adds a thread. A thread from a message has that message's id, and begins with a reference to it (topics/threads, "New Message Types"). For other
   * threads, and for those from old messages, the channel gets a message.
   */
  addThread(
    parent: Channel,
    thread: {
      readonly name: string
      readonly ownerId: string
      readonly message?: Message | undefined
      readonly isPrivate?: boolean
      readonly isFromOldMessage?: boolean
      readonly autoArchiveMinutes?: number | undefined
    },
  ): Channel {
    const now = this.clock.now()
    const channel: Channel = {
      id: thread.message?.id ?? this.newId(),
      type: thread.isPrivate === true ? CHANNEL_TYPE.privateThread : CHANNEL_TYPE.publicThread,
      guildId: parent.guildId,
      name: thread.name,
      parentId: parent.id,
      ownerId: thread.ownerId,
      overwrites: [],
      recipients: [],
      thread: {
        archived: false,
        locked: false,
        autoArchiveMinutes: thread.autoArchiveMinutes ?? 4_320,
        archiveChangedAt: now,
        members: new Map([[thread.ownerId, now]]),
      },
      isDeleted: false,
    }
    this.channels.set(channel.id, channel)
    this.#onChange({ kind: 'channel_created', channel })
    this.#announce(parent, channel, thread.message, thread.isFromOldMessage === true)
    return channel
  }

  #announce(parent: Channel, channel: Channel, message: Message | undefined, isOld: boolean): void {
    if (message !== undefined) {
      message.threadId = channel.id
      this.edit(message, { flags: message.body.flags | MESSAGE_FLAG.hasThread }, { isSilent: true })
      const reference = { channelId: parent.id, messageId: message.id }
      this.post(channel, { authorId: message.authorId, body: EMPTY_BODY, type: MESSAGE_TYPE.threadStarter, reference })
    }
    if ((message !== undefined && !isOld) || channel.type === CHANNEL_TYPE.privateThread) return
    const body = { ...EMPTY_BODY, content: channel.name }
    const reference = { channelId: channel.id, messageId: undefined }
    this.post(parent, { authorId: channel.ownerId ?? '', body, type: MESSAGE_TYPE.threadCreated, reference })
  }

  /** Makes a person a member of a thread. */
  joinThread(channel: Channel, userId: string): void {
    if (channel.thread === undefined || channel.thread.members.has(userId)) return
    channel.thread.members.set(userId, this.clock.now())
    this.#onChange({ kind: 'thread_joined', channel, userId })
  }

  /** Returns the direct conversation of two people. Creates it if it does not exist. */
  directChannel(first: string, second: string): Channel {
    const found = [...this.channels.values()].find(
      ({ type, recipients }) => type === CHANNEL_TYPE.direct && recipients.includes(first) && recipients.includes(second),
    )
    if (found !== undefined) return found
    const channel: Channel = {
      id: this.newId(),
      type: CHANNEL_TYPE.direct,
      guildId: undefined,
      name: '',
      parentId: undefined,
      ownerId: undefined,
      overwrites: [],
      recipients: [first, second],
      thread: undefined,
      isDeleted: false,
    }
    this.channels.set(channel.id, channel)
    return channel
  }

  updateChannel(channel: Channel, change: (channel: Channel) => void): void {
    change(channel)
    this.#onChange({ kind: 'channel_updated', channel })
  }

  /** Deletes a channel with all its threads, or a single thread. */
  deleteChannel(channel: Channel): void {
    for (const thread of this.channels.values()) if (thread.parentId === channel.id) thread.isDeleted = true
    channel.isDeleted = true
    this.#onChange({ kind: 'channel_deleted', channel })
  }

  guildOf(channel: Channel): Guild | undefined {
    return channel.guildId === undefined ? undefined : this.guilds.get(channel.guildId)
  }

  /** Returns a person's permissions in a channel or thread, as a number with one bit for each. */
  permissions(userId: string, channel: Channel): bigint {
    const guild = this.guildOf(channel)
    if (guild === undefined) return channel.recipients.includes(userId) ? permissionBits(MEMBER_PERMISSIONS) : 0n
    const parent = channel.parentId === undefined ? channel : this.channels.get(channel.parentId)
    return permissionsIn(guild, userId, parent)
  }

  may(userId: string, channel: Channel, permission: PermissionName): boolean {
    return (this.permissions(userId, channel) & PERMISSIONS[permission]) !== 0n
  }

  /** Whether a person can see a channel. A private thread is visible only to its members and to moderators. */
  canSee(userId: string, channel: Channel): boolean {
    if (channel.isDeleted || !this.may(userId, channel, 'VIEW_CHANNEL')) return false
    if (channel.type !== CHANNEL_TYPE.privateThread) return true
    return channel.thread?.members.has(userId) === true || this.may(userId, channel, 'MANAGE_THREADS')
  }

  /** Returns the ids of all people who can see a channel. */
  audience(channel: Channel): readonly string[] {
    const members = this.guildOf(channel)?.members.keys() ?? channel.recipients
    return [...members].filter(userId => this.canSee(userId, channel))
  }

  /** Returns all messages of the channel, including deleted ones, in order. */
  messages(channelId: string): readonly Message[] {
    return this.#messages.get(channelId) ?? []
  }

  /** Returns a message. Returns undefined if it was deleted or never existed. */
  find(channelId: string, messageId: string): Message | undefined {
    return this.messages(channelId).find(message => message.id === messageId && message.deletedAt === undefined)
  }

  post(channel: Channel, draft: MessageDraft): Message {
    const { thread } = channel
    if (thread?.archived === true) this.updateChannel(channel, () => this.unarchive(channel))
    if (draft.type !== MESSAGE_TYPE.threadStarter) this.joinThread(channel, draft.authorId)
    const now = this.clock.now()
    const message: Message = {
      id: this.newId(),
      channelId: channel.id,
      guildId: channel.guildId,
      authorId: draft.authorId,
      type: draft.type ?? 0,
      createdAt: now,
      nonce: draft.nonce,
      reference: draft.reference,
      visibleTo: draft.visibleTo,
      interaction: draft.interaction,
      body: draft.body,
      versions: [{ ...draft.body, at: this.clock.elapsed() }],
      notified: notifiedBy(this, channel, draft),
      editedAt: undefined,
      deletedAt: undefined,
      threadId: undefined,
    }
    const messages = this.#messages.get(channel.id)
    if (messages === undefined) this.#messages.set(channel.id, [message])
    else messages.push(message)
    this.#typing.get(channel.id)?.delete(draft.authorId)
    this.#onChange({ kind: 'message_created', message })
    return message
  }

  /**
   * Changes a message. With `isSilent`, the change is not an edit, so the message does not count as edited. Examples: a thread was started from
   * it, or a preview was added.
   */
  edit(message: Message, change: Partial<MessageBody>, options: { readonly isSilent?: boolean } = {}): void {
    message.body = { ...message.body, ...change }
    message.versions.push({ ...message.body, at: this.clock.elapsed() })
    if (options.isSilent !== true) message.editedAt = this.clock.now()
    this.#onChange({ kind: 'message_updated', message })
  }

  delete(message: Message): void {
    message.deletedAt = this.clock.now()
    this.#onChange({ kind: 'message_deleted', message })
  }

  bulkDelete(channel: Channel, messages: readonly Message[]): void {
    for (const message of messages) message.deletedAt = this.clock.now()
    this.#onChange({ kind: 'messages_deleted', messages, channel })
  }

  startTyping(channel: Channel, userId: string): void {
    const typing = this.#typing.get(channel.id) ?? new Map<string, number>()
    this.#typing.set(channel.id, typing.set(userId, this.clock.now()))
    this.#onChange({ kind: 'typing', channel, userId, at: this.clock.now() })
  }

  /** Returns the people who are typing in the channel. Typing lasts 10 s, or until the person posts. */
  typing(channel: Channel): readonly string[] {
    const since = this.clock.now() - DISCORD_LIMITS.typingMs
    return [...(this.#typing.get(channel.id) ?? [])].filter(([, at]) => at > since).map(([userId]) => userId)
  }

  private unarchive(channel: Channel): void {
    if (channel.thread === undefined) return
    channel.thread.archived = false
    channel.thread.archiveChangedAt = this.clock.now()
  }
}
