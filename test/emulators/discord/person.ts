import type { Commands, RegisteredCommand } from './commands.ts'
import { allComponents, COMPONENT } from './component-form.ts'
import { CHANNEL_TYPE, type Channel, type DiscordUser, MESSAGE_FLAG, MESSAGE_TYPE, type Message } from './discord-model.ts'
import type { EventDispatcher } from './event-dispatcher.ts'
import type { Delivery } from './gateway-session.ts'
import { INTERACTION_TYPE, type Interaction } from './interaction.ts'
import type { Interactions } from './interactions.ts'
import { isObject, type JsonObject } from './json.ts'
import { ALLOW_ALL, resolveMentions } from './mentions.ts'
import type { PermissionName } from './permissions.ts'
import type { World } from './world.ts'

/** A message that a person posted, and the events that the bot got for it. */
export interface SentMessage {
  readonly id: string
  readonly channelId: string
  readonly guildId: string | undefined
  /** The MESSAGE_CREATE events for the bot, one for each connected session. Empty if the bot does not see the channel. */
  readonly deliveries: readonly Delivery[]
}

export interface PostOptions {
  /** The message to which this one replies. Its author is notified unless `pingsAuthor` is false. */
  readonly replyTo?: { readonly id: string } | string
  readonly pingsAuthor?: boolean
  readonly files?: readonly { readonly name: string; readonly content: string | Buffer; readonly contentType?: string }[]
}

export interface PersonDeps {
  readonly world: World
  readonly dispatcher: EventDispatcher
  readonly interactions: Interactions
  readonly commands: Commands
  readonly resolve: (channel: string) => Channel
  readonly attachmentUrl: (id: string, filename: string) => string
  readonly botUserId: string
}

/** A person, or the bot of another app, with methods for their actions. A parameter `channel` is the id or name of a channel or thread. */
export class Person {
  readonly id: string
  readonly name: string
  /** A mention of this person, as it is written in a message: `<@123>`. */
  readonly mention: string
  readonly #user: DiscordUser
  readonly #deps: PersonDeps

  constructor(user: DiscordUser, deps: PersonDeps) {
    this.id = user.id
    this.name = user.name
    this.mention = `<@${user.id}>`
    this.#user = user
    this.#deps = deps
  }

  /** Posts a text in Discord's own form, with mentions as `<@id>`. @throws Error if this person may not post there */
  post(channel: string, text: string, options: PostOptions = {}): SentMessage {
    return this.#post(this.#deps.resolve(channel), text, options)
  }

  /** Posts a message in this person's direct conversation with the bot. */
  directMessage(text: string, options: PostOptions = {}): SentMessage {
    return this.#post(this.directChannel(), text, options)
  }

  /** Returns this person's direct conversation with the bot. */
  directChannel(): Channel {
    return this.#deps.world.directChannel(this.id, this.#deps.botUserId)
  }

  edit(message: { readonly id: string; readonly channelId: string }, text: string): void {
    const found = this.#own(message)
    const channel = this.#deps.resolve(found.channelId)
    const mentions = resolveMentions(this.#deps.world, channel, { text, authorId: this.id }, ALLOW_ALL)
    this.#deps.world.edit(found, { content: text, mentions })
  }

  /** Deletes a message of this person. With the permission for it, also deletes other people's messages. */
  delete(message: { readonly id: string; readonly channelId: string }): void {
    const found = this.#find(message)
    if (found.authorId !== this.id) this.#require(this.#deps.resolve(found.channelId), 'MANAGE_MESSAGES')
    this.#deps.world.delete(found)
  }

  /** Starts a thread from a message that this person sees. For an old message, the channel gets a message of type 18. */
  startThread(
    message: { readonly id: string; readonly channelId: string },
    name: string,
    options: { readonly isOld?: boolean } = {},
  ): Channel {
    const found = this.#find(message)
    const channel = this.#deps.resolve(found.channelId)
    this.#require(channel, 'CREATE_PUBLIC_THREADS')
    const isFromOldMessage = options.isOld === true
    return this.#deps.world.addThread(channel, { name, ownerId: this.id, message: found, isFromOldMessage })
  }

  type(channel: string): void {
    this.#deps.world.startTyping(this.#deps.resolve(channel), this.id)
  }

  /** Whether this person can see the channel or thread. */
  sees(channel: string): boolean {
    return this.#deps.world.canSee(this.id, this.#deps.resolve(channel))
  }

  refuseDirectMessages(): void {
    this.#user.acceptsDirectMessages = false
  }

  /**
   * Uses a slash command, such as `ask` or `lineage show`, with option values.
   * @throws Error for an unknown command or option, a missing required option, or a channel without the permission
   */
  command(
    channel: string | Channel,
    name: string,
    options: Readonly<Record<string, string | number | boolean>> = {},
  ): Interaction {
    const target = typeof channel === 'string' ? this.#deps.resolve(channel) : channel
    this.#require(target, 'USE_APPLICATION_COMMANDS')
    const [first = '', ...path] = name.split(' ')
    const command = this.#registered(first, 1, target)
    return this.#deps.interactions.issue({
      type: INTERACTION_TYPE.command,
      user: this.#user,
      channel: target,
      commandName: name,
      data: { ...commandData(command), options: filledOptions(command.content.options, path, options) },
    })
  }

  /** Uses a command in the menu "Apps" of a message. */
  messageCommand(message: { readonly id: string; readonly channelId: string }, name: string): Interaction {
    const found = this.#find(message)
    const channel = this.#deps.resolve(found.channelId)
    this.#require(channel, 'USE_APPLICATION_COMMANDS')
    const resolved = { messages: { [found.id]: this.#deps.interactions.payloadOf(found) } }
    return this.#deps.interactions.issue({
      type: INTERACTION_TYPE.command,
      user: this.#user,
      channel,
      commandName: name,
      data: { ...commandData(this.#registered(name, 3, channel)), target_id: found.id, resolved },
    })
  }

  /** Presses the button with this `custom_id` or label. @throws Error if there is no such button, or if it is disabled */
  press(
    message: { readonly id: string; readonly channelId: string },
    button: { readonly customId?: string; readonly label?: string },
  ): Interaction {
    const found = this.#find(message)
    const buttons = allComponents(found.body.components).filter(component => component.type === COMPONENT.button)
    const wanted = buttons.find(
      candidate =>
        (button.customId === undefined || candidate.custom_id === button.customId) &&
        (button.label === undefined || candidate.label === button.label),
    )
    if (wanted === undefined || wanted.custom_id === undefined) {
      throw new Error(`No such button; there are: ${buttons.map(one => `${one.custom_id}=${one.label}`).join(', ')}`)
    }
    if (wanted.disabled === true) throw new Error(`The button ${wanted.label} is disabled`)
    return this.#deps.interactions.issue({
      type: INTERACTION_TYPE.component,
      user: this.#user,
      channel: this.#deps.resolve(found.channelId),
      data: { custom_id: wanted.custom_id, component_type: COMPONENT.button, id: wanted.id },
      source: found,
    })
  }

  /** Fills in the form that an interaction has opened, and submits it. `values` are the texts by `custom_id`. */
  submitModal(interaction: Interaction, values: Readonly<Record<string, string>>): Interaction {
    const { modal } = interaction
    if (modal === undefined || interaction.user.id !== this.id) throw new Error('No modal is open')
    return this.#deps.interactions.issue({
      type: INTERACTION_TYPE.modalSubmit,
      user: this.#user,
      channel: interaction.channel,
      data: { custom_id: modal.custom_id, components: filledComponents(modal.components, values) },
      source: interaction.source,
    })
  }

  #post(channel: Channel, text: string, options: PostOptions): SentMessage {
    const { world, dispatcher, attachmentUrl } = this.#deps
    this.#checkSend(channel)
    const replyTo = typeof options.replyTo === 'object' ? options.replyTo.id : options.replyTo
    const replied = replyTo === undefined ? undefined : world.find(channel.id, replyTo)
    if (replyTo !== undefined && replied === undefined) throw new Error(`There is no message ${replyTo} to reply to`)
    const repliedTo = options.pingsAuthor === false ? undefined : replied?.authorId
    const attachments = (options.files ?? []).map(file => {
      const id = world.newId()
      const content = Buffer.from(file.content)
      const url = attachmentUrl(id, file.name)
      return { id, filename: file.name, description: undefined, contentType: file.contentType, content, url, isEmbedded: false }
    })
    const mentions = resolveMentions(world, channel, { text, authorId: this.id, repliedTo }, ALLOW_ALL)
    const message = world.post(channel, {
      authorId: this.id,
      body: { content: text.trim(), embeds: [], components: [], attachments, flags: 0, mentions },
      nonce: world.newId(),
      ...(replied === undefined ? {} : { type: MESSAGE_TYPE.reply, reference: { channelId: channel.id, messageId: replied.id } }),
    })
    return { id: message.id, channelId: channel.id, guildId: channel.guildId, deliveries: dispatcher.deliveriesOf(message) }
  }

  #checkSend(channel: Channel): void {
    if (!this.#deps.world.canSee(this.id, channel)) throw new Error(`${this.name} does not see ${channel.name}`)
    if (channel.type === CHANNEL_TYPE.direct) return
    this.#require(channel, channel.thread === undefined ? 'SEND_MESSAGES' : 'SEND_MESSAGES_IN_THREADS')
    if (channel.thread?.locked === true) this.#require(channel, 'MANAGE_THREADS')
  }

  #require(channel: Channel, permission: PermissionName): void {
    const { world } = this.#deps
    if (!world.canSee(this.id, channel) || !world.may(this.id, channel, permission)) {
      throw new Error(`${this.name} may not ${permission} in ${channel.name}`)
    }
  }

  #registered(name: string, type: 1 | 3, channel: Channel): RegisteredCommand {
    const found = this.#deps.commands.find(name, type, channel.guildId)
    if (found === undefined) throw new Error(`There is no command ${name} in ${channel.name}`)
    const { contexts } = found.content
    const context = channel.guildId === undefined ? 1 : 0
    if (Array.isArray(contexts) && !contexts.includes(context)) throw new Error(`The command ${name} is not offered there`)
    return found
  }

  /** Returns a message by its id, if this person sees it. */
  #find({ id, channelId }: { readonly id: string; readonly channelId: string }): Message {
    const { world, resolve } = this.#deps
    const found = world.find(channelId, id)
    const isHidden = found?.visibleTo !== undefined && found.visibleTo !== this.id
    if (found === undefined || isHidden || !world.canSee(this.id, resolve(channelId))) {
      throw new Error(`${this.name} sees no message ${id}`)
    }
    return found
  }

  #own(message: { readonly id: string; readonly channelId: string }): Message {
    const found = this.#find(message)
    if (found.authorId !== this.id) throw new Error(`${this.name} cannot change a message of ${found.authorId}`)
    if ((found.body.flags & MESSAGE_FLAG.loading) !== 0) throw new Error('It is not written yet')
    return found
  }
}

function commandData(command: RegisteredCommand): JsonObject {
  const ofGuild = command.guildId === undefined ? {} : { guild_id: command.guildId }
  return { id: command.id, name: command.name, type: command.type, ...ofGuild }
}

/**
 * Turns the given values into options, after the checks that a Discord client makes. Discord documents the form in "Application Command
 * Interaction Data Option Structure".
 */
function filledOptions(
  registered: unknown,
  path: readonly string[],
  values: Readonly<Record<string, string | number | boolean>>,
): readonly JsonObject[] {
  const options = (Array.isArray(registered) ? registered : []).filter(isObject)
  const [group, ...rest] = path
  if (group !== undefined) {
    const found = options.find(option => option.name === group && (option.type === 1 || option.type === 2))
    if (found === undefined) throw new Error(`There is no subcommand ${group}`)
    return [{ name: group, type: found.type, options: filledOptions(found.options, rest, values) }]
  }
  for (const name of Object.keys(values)) {
    if (!options.some(option => option.name === name)) throw new Error(`The command has no option ${name}`)
  }
  return options.flatMap(option => {
    const value = values[String(option.name)]
    if (value === undefined) {
      if (option.required === true) throw new Error(`The option ${option.name} is required`)
      return []
    }
    checkValue(option, value)
    return [{ name: option.name, type: option.type, value }]
  })
}

/** Checks the value of an option. Its `type` is 3 for a string, 4 for an integer, 5 for a boolean, 6 to 9 for ids, 10 for a number. */
function checkValue(option: JsonObject, value: string | number | boolean): void {
  const type = Number(option.type)
  const kind = type === 4 || type === 10 ? 'number' : type === 5 ? 'boolean' : 'string'
  if (typeof value !== kind) throw new Error(`The option ${option.name} takes a ${kind}`)
  const choices = Array.isArray(option.choices) ? option.choices.filter(isObject) : []
  if (choices.length > 0 && !choices.some(choice => choice.value === value))
    throw new Error(`${value} is no choice of ${option.name}`)
  if (typeof value === 'string' && typeof option.max_length === 'number' && value.length > option.max_length) {
    throw new Error(`The option ${option.name} takes ${option.max_length} characters`)
  }
}

/**
 * Fills values into the text inputs of a form. They may be in action rows or in labels. Discord documents this in "Modal Submit Data Structure".
 */
function filledComponents(components: unknown, values: Readonly<Record<string, string>>): readonly JsonObject[] {
  const filled = (component: JsonObject): JsonObject => {
    if (component.type !== COMPONENT.textInput) return { type: component.type, id: component.id }
    const value = values[String(component.custom_id)] ?? (typeof component.value === 'string' ? component.value : '')
    const { min_length: least = 0, max_length: most = 4_000, required = true } = component
    const isTooShort = value.length < Number(least) || (required === true && value === '')
    if (isTooShort || value.length > Number(most)) throw new Error(`${component.custom_id} takes ${least} to ${most} characters`)
    return { type: component.type, id: component.id, custom_id: component.custom_id, value }
  }
  return (Array.isArray(components) ? components : []).filter(isObject).map(component => {
    const base = { type: component.type, id: component.id }
    if (component.type === COMPONENT.label && isObject(component.component)) {
      return { ...base, component: filled(component.component) }
    }
    const children = Array.isArray(component.components) ? component.components.filter(isObject) : []
    return children.length === 0 ? base : { ...base, components: children.map(filled) }
  })
}
