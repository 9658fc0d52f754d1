import { type Channel, MESSAGE_FLAG, MESSAGE_TYPE, type Message, type MessageBody, type MessageVersion } from './discord-model.ts'
import type { JsonObject } from './json.ts'
import type { Names } from './markdown.ts'
import { type RenderedMessage, renderMessage, type ShownButton } from './rendered-message.ts'
import type { World } from './world.ts'

/** A message as one person sees it now, with its earlier states. Later changes do not affect this copy. */
export interface ShownMessage extends RenderedMessage {
  readonly id: string
  readonly channelId: string
  readonly author: string
  readonly authorId: string
  readonly isFromBot: boolean
  readonly isEphemeral: boolean
  /** True if the message only shows "… is thinking". */
  readonly isLoading: boolean
  readonly isEdited: boolean
  readonly type: number
  readonly content: string
  readonly embeds: readonly JsonObject[]
  readonly components: readonly JsonObject[]
  readonly files: readonly {
    readonly name: string
    readonly content: Buffer
    readonly contentType: string | undefined
    readonly description: string | undefined
  }[]
  readonly flags: number
  readonly nonce: string | number | undefined
  /** The id of the message to which this message replies. */
  readonly repliesTo: string | undefined
  readonly threadId: string | undefined
  /** The ids of the people who were notified by the post. An edit notifies nobody. */
  readonly notified: readonly string[]
  /**
   * All states of the message since it was posted. The last one is the current state. `at` is the time of the state, in milliseconds since the
   * emulator started.
   */
  readonly history: readonly (MessageVersion & Pick<RenderedMessage, 'plain'> & { readonly buttons: readonly ShownButton[] })[]
}

/** Returns messages as people read them: only visible ones, with names instead of ids. */
export class Transcript {
  readonly #world: World
  readonly #ownUploads: string

  constructor(deps: { world: World; ownUploads: string }) {
    this.#world = deps.world
    this.#ownUploads = deps.ownUploads
  }

  /**
   * Returns the messages of a channel or thread that this person sees now, in order. Returns none if the person has no access. Without a person,
   * returns all messages that are not private. A thread's first message is left out, because it repeats the original.
   */
  of(channel: Channel, as: string | undefined): readonly ShownMessage[] {
    if (as !== undefined && (!this.#world.canSee(as, channel) || !this.#world.may(as, channel, 'READ_MESSAGE_HISTORY'))) return []
    return this.#world
      .messages(channel.id)
      .filter(message => message.deletedAt === undefined && message.type !== MESSAGE_TYPE.threadStarter)
      .filter(message => message.visibleTo === undefined || message.visibleTo === as)
      .map(message => this.#shown(message))
  }

  render(body: MessageBody): RenderedMessage {
    return renderMessage(body, this.#names(), this.#ownUploads)
  }

  /** Describes each message of the channel in one line, with its buttons and other marks. */
  describe(channel: Channel): readonly string[] {
    const messages = this.#world.messages(channel.id).filter(message => message.type !== MESSAGE_TYPE.threadStarter)
    return messages.map(message => {
      const shown = this.#shown(message)
      const notes = [
        shown.isEphemeral ? `only for ${this.#names().user(message.visibleTo ?? '')}` : '',
        shown.isLoading ? 'thinking' : '',
        message.versions.length > 1 ? `${message.versions.length - 1} edits` : '',
        message.deletedAt === undefined ? '' : 'deleted',
        shown.embeds.length > 0 ? `${shown.embeds.length} embeds` : '',
        ...shown.files.map(file => `file ${file.name}`),
        ...shown.buttons.map(button => `[${button.label}]`),
      ].filter(note => note !== '')
      const suffix = notes.length === 0 ? '' : ` (${notes.join(', ')})`
      return `  ${message.id} ${shown.author}${suffix}: ${shown.plain.replaceAll('\n', '\n    ')}`
    })
  }

  /** Describes the messages of all channels, for the error of a wait that failed. */
  describeAll(): string {
    const channels = [...this.#world.channels.values()].filter(channel => this.describe(channel).length > 0)
    if (channels.length === 0) return '(no messages)'
    return channels.map(channel => [this.#title(channel), ...this.describe(channel)].join('\n')).join('\n')
  }

  #title(channel: Channel): string {
    const { user } = this.#names()
    const name = channel.guildId === undefined ? `DM of ${channel.recipients.map(user).join(' and ')}` : `#${channel.name}`
    const parent = channel.parentId === undefined ? '' : `, thread in #${this.#names().channel(channel.parentId)}`
    return `${name} (${channel.id}${parent})`
  }

  #names(): Names {
    const { users, guilds, channels } = this.#world
    return {
      user: id => users.get(id)?.displayName ?? 'unknown-user',
      role: id => [...guilds.values()].flatMap(guild => guild.roles.get(id)?.name ?? [])[0] ?? 'unknown-role',
      channel: id => channels.get(id)?.name ?? 'unknown',
    }
  }

  #shown(message: Message): ShownMessage {
    const { body } = message
    const author = this.#world.users.get(message.authorId)
    return {
      ...this.render(body),
      id: message.id,
      channelId: message.channelId,
      author: author?.name ?? message.authorId,
      authorId: message.authorId,
      isFromBot: author?.isBot === true,
      isEphemeral: message.visibleTo !== undefined,
      isLoading: (body.flags & MESSAGE_FLAG.loading) !== 0,
      isEdited: message.editedAt !== undefined,
      type: message.type,
      content: body.content,
      embeds: body.embeds,
      components: body.components,
      files: body.attachments.map(({ filename, content, contentType, description }) => ({
        name: filename,
        content,
        contentType,
        description,
      })),
      flags: body.flags,
      nonce: message.nonce,
      repliesTo: message.reference?.messageId,
      threadId: message.threadId,
      notified: message.notified,
      history: message.versions.map(version => {
        const { plain, buttons } = this.render(version)
        return { ...version, plain, buttons }
      }),
    }
  }
}
