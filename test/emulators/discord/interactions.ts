import { randomBytes } from 'node:crypto'
import type { EmulatorClock } from '../slack/emulator-clock.ts'
import { ApiRefusal } from './api-refusal.ts'
import { ComponentForm } from './component-form.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import { type Channel, type DiscordUser, EMPTY_BODY, MESSAGE_FLAG, MESSAGE_TYPE, type Message } from './discord-model.ts'
import { FormErrors } from './form-errors.ts'
import type { Gateway } from './gateway.ts'
import { CALLBACK_TYPE, INTERACTION_TYPE, type Interaction, type InteractionState } from './interaction.ts'
import { isObject, type JsonObject } from './json.ts'
import { ALLOW_USERS } from './mentions.ts'
import { type MessageForm, type MessageFormOptions, readMessageForm } from './message-form.ts'
import { messagePayload } from './message-payload.ts'
import { type AppIdentity, channelPayload, guildPayload, memberPayload, userPayload } from './payloads.ts'
import type { UploadedFile } from './request-body.ts'
import type { World } from './world.ts'

const SETTABLE = MESSAGE_FLAG.suppressEmbeds | MESSAGE_FLAG.suppressNotifications | MESSAGE_FLAG.componentsV2

/** Creates interactions of people. Handles the app's responses to them, which contain the interaction's token. */
export class Interactions {
  readonly #world: World
  readonly #app: AppIdentity
  readonly #gateway: Gateway
  readonly #clock: EmulatorClock
  readonly #attachmentUrl: MessageFormOptions['attachmentUrl']
  readonly #byToken = new Map<string, Interaction>()

  constructor(deps: {
    world: World
    app: AppIdentity
    gateway: Gateway
    clock: EmulatorClock
    attachmentUrl: MessageFormOptions['attachmentUrl']
  }) {
    this.#world = deps.world
    this.#app = deps.app
    this.#gateway = deps.gateway
    this.#clock = deps.clock
    this.#attachmentUrl = deps.attachmentUrl
  }

  all(): readonly Interaction[] {
    return [...this.#byToken.values()]
  }

  state(interaction: Interaction): InteractionState {
    if (interaction.callback !== undefined) return 'acknowledged'
    return this.#clock.now() - interaction.issuedAt > DISCORD_LIMITS.acknowledgementMs ? 'failed' : 'waiting'
  }

  /** Sends a person's action to the app as an event. `data` has the form that Discord calls "Interaction Data". */
  issue(what: {
    readonly type: number
    readonly user: DiscordUser
    readonly channel: Channel
    readonly data: JsonObject
    readonly commandName?: string
    readonly source?: Message | undefined
  }): Interaction {
    const { user, channel, source } = what
    const interaction: Interaction = {
      id: this.#world.newId(),
      token: randomBytes(48).toString('base64url'),
      type: what.type,
      user,
      channel,
      issuedAt: this.#clock.now(),
      commandName: what.commandName,
      source,
      answerType: answerType(what.type, what.data),
      callback: undefined,
      original: undefined,
      modal: undefined,
      choices: undefined,
      deliveries: [],
    }
    this.#byToken.set(interaction.token, interaction)
    const payload = { ...this.#payload(interaction), data: what.data }
    interaction.deliveries = this.#gateway.dispatch({
      event: 'INTERACTION_CREATE',
      guildId: channel.guildId,
      intents: 0,
      payload: () => payload,
    })
    return interaction
  }

  /** Sends the event of an interaction again, as a duplicate. */
  redeliver(interaction: Interaction): void {
    for (const delivery of interaction.deliveries) this.#gateway.redeliver(delivery)
  }

  /**
   * Handles `POST /interactions/{id}/{token}/callback`.
   * @returns what Discord calls "Interaction Callback Response Object"
   * @throws ApiRefusal 10062 for an unknown interaction, or after 3 s; 40060 for a second response; 50035 for an invalid one
   */
  respond(id: string, token: string, form: JsonObject, files: readonly UploadedFile[]): JsonObject {
    const interaction = this.#byToken.get(token)
    if (interaction === undefined || interaction.id !== id) throw new ApiRefusal('unknownInteraction')
    if (interaction.callback !== undefined) throw new ApiRefusal('alreadyAcknowledged')
    if (this.state(interaction) === 'failed') throw new ApiRefusal('unknownInteraction')

    const errors = new FormErrors()
    const allowed = allowedCallbacks(interaction)
    const { type } = form
    const isAllowed = typeof type === 'number' && allowed.includes(type)
    if (!isAllowed) errors.choices(['type'], allowed)
    errors.refuseIfAny()
    const data = isObject(form.data) ? form.data : {}
    this.#act(interaction, Number(type), data, files)
    interaction.callback = Number(type)
    return this.#callbackPayload(interaction)
  }

  /** Returns the interaction with this token. @throws ApiRefusal 10015 if the app has not responded yet; 50027 after 15 minutes */
  open(appId: string, token: string): Interaction {
    const interaction = this.#byToken.get(token)
    if (appId !== this.#app.appId) throw new ApiRefusal('unknownWebhook')
    if (interaction === undefined) throw new ApiRefusal('invalidWebhookToken')
    if (this.#clock.now() - interaction.issuedAt > DISCORD_LIMITS.interactionTokenMs) throw new ApiRefusal('invalidWebhookToken')
    if (interaction.callback === undefined) throw new ApiRefusal('unknownWebhook')
    return interaction
  }

  /** Returns the first response (`@original`) to an interaction, or a later message. @throws ApiRefusal 10008 if it does not exist */
  message(interaction: Interaction, messageId: string): Message {
    const found = messageId === '@original' ? interaction.original : this.#world.find(interaction.channel.id, messageId)
    const isOwn = found === interaction.original || found?.interaction?.id === interaction.id
    if (found === undefined || found.deletedAt !== undefined || !isOwn) throw new ApiRefusal('unknownMessage')
    return found
  }

  followUp(interaction: Interaction, form: JsonObject, files: readonly UploadedFile[]): Message {
    const { original } = interaction
    if (original !== undefined && isLoading(original)) return this.edit(interaction, '@original', form, files)
    const isEphemeral = wantsEphemeral(form)
    return this.#post(interaction, this.#read(interaction, form, files), isEphemeral)
  }

  edit(interaction: Interaction, messageId: string, form: JsonObject, files: readonly UploadedFile[]): Message {
    const message = this.message(interaction, messageId)
    const { body } = this.#read(interaction, form, files, message)
    this.#world.edit(message, { ...body, flags: body.flags & ~MESSAGE_FLAG.loading })
    return message
  }

  payloadOf(message: Message): JsonObject {
    return messagePayload(this.#world, this.#app, message, { canRead: true })
  }

  #act(interaction: Interaction, type: number, data: JsonObject, files: readonly UploadedFile[]): void {
    const isEphemeral = wantsEphemeral(data)
    if (type === CALLBACK_TYPE.message) {
      interaction.original = this.#post(interaction, this.#read(interaction, data, files), isEphemeral)
    } else if (type === CALLBACK_TYPE.deferredMessage) {
      const body = { ...EMPTY_BODY, flags: MESSAGE_FLAG.loading }
      interaction.original = this.#post(interaction, { body }, isEphemeral)
    } else if (type === CALLBACK_TYPE.deferredUpdate) {
      interaction.original = interaction.source
    } else if (type === CALLBACK_TYPE.update) {
      const source = interaction.source
      if (source === undefined || source.deletedAt !== undefined) throw new ApiRefusal('unknownMessage')
      this.#world.edit(source, this.#read(interaction, data, files, source).body)
      interaction.original = source
    } else if (type === CALLBACK_TYPE.autocomplete) {
      interaction.choices = Array.isArray(data.choices) ? data.choices : []
    } else {
      interaction.modal = readModal(data)
    }
  }

  #read(interaction: Interaction, form: JsonObject, files: readonly UploadedFile[], edited?: Message): MessageForm {
    return readMessageForm(form, files, {
      world: this.#world,
      channel: interaction.channel,
      authorId: this.#app.botUserId,
      attachmentUrl: this.#attachmentUrl,
      defaultMentions: ALLOW_USERS,
      settableFlags: SETTABLE,
      ...(edited === undefined ? {} : { edited: edited.body }),
    })
  }

  #post(interaction: Interaction, { body }: Pick<MessageForm, 'body'>, isEphemeral: boolean): Message {
    const { original, source } = interaction
    const repliesTo = original ?? source
    const flags = isEphemeral ? body.flags | MESSAGE_FLAG.ephemeral : body.flags
    return this.#world.post(interaction.channel, {
      authorId: this.#app.botUserId,
      body: { ...body, flags },
      type: repliesTo === undefined ? interaction.answerType : MESSAGE_TYPE.reply,
      reference: repliesTo === undefined ? undefined : { channelId: repliesTo.channelId, messageId: repliesTo.id },
      visibleTo: isEphemeral ? interaction.user.id : undefined,
      interaction: {
        id: interaction.id,
        type: interaction.type,
        userId: interaction.user.id,
        commandName: interaction.commandName,
        originalMessageId: original?.id,
      },
    })
  }

  #payload(interaction: Interaction): JsonObject {
    const { channel, user, source } = interaction
    const guild = this.#world.guildOf(channel)
    const member = guild?.members.get(user.id)
    const permissions = String(this.#world.permissions(user.id, channel))
    return {
      id: interaction.id,
      application_id: this.#app.appId,
      type: interaction.type,
      token: interaction.token,
      version: 1,
      channel_id: channel.id,
      channel: { ...channelPayload(this.#world, this.#app, channel), permissions },
      app_permissions: String(this.#world.permissions(this.#app.botUserId, channel)),
      locale: user.locale,
      entitlements: [],
      authorizing_integration_owners: { 0: guild?.id ?? '0' },
      context: guild === undefined ? 1 : 0,
      attachment_size_limit: DISCORD_LIMITS.fileBytes,
      ...(source === undefined ? {} : { message: this.payloadOf(source) }),
      ...(guild === undefined || member === undefined
        ? { user: userPayload(user) }
        : {
            guild_id: guild.id,
            guild_locale: 'en-US',
            guild: { id: guild.id, locale: 'en-US', features: guildPayload(guild).features },
            member: { ...memberPayload(member), user: userPayload(user), permissions },
          }),
    }
  }

  #callbackPayload(interaction: Interaction): JsonObject {
    const { original, callback } = interaction
    const hasMessage = callback === CALLBACK_TYPE.message || callback === CALLBACK_TYPE.update
    return {
      interaction: {
        id: interaction.id,
        type: interaction.type,
        ...(original === undefined
          ? {}
          : {
              response_message_id: original.id,
              response_message_loading: isLoading(original),
              response_message_ephemeral: original.visibleTo !== undefined,
            }),
      },
      resource: {
        type: callback,
        ...(original !== undefined && (hasMessage || callback === CALLBACK_TYPE.deferredMessage)
          ? { message: this.payloadOf(original) }
          : {}),
      },
    }
  }
}

/** Returns the message type of the answer to an interaction that did not come from a message. */
function answerType(type: number, data: JsonObject): number {
  if (type !== INTERACTION_TYPE.command) return MESSAGE_TYPE.default
  return data.type === 1 ? MESSAGE_TYPE.command : MESSAGE_TYPE.contextMenuCommand
}

function allowedCallbacks(interaction: Interaction): readonly number[] {
  const { message, deferredMessage, deferredUpdate, update, autocomplete, modal } = CALLBACK_TYPE
  if (interaction.type === INTERACTION_TYPE.autocomplete) return [autocomplete]
  if (interaction.type === INTERACTION_TYPE.command) return [message, deferredMessage, modal]
  if (interaction.type === INTERACTION_TYPE.component) return [message, deferredMessage, deferredUpdate, update, modal]
  return interaction.source === undefined ? [message, deferredMessage] : [message, deferredMessage, deferredUpdate, update]
}

/** Discord documents this in interactions/receiving-and-responding, "Modal". */
function readModal(data: JsonObject): JsonObject {
  const errors = new FormErrors()
  const required = { least: 1, required: true }
  errors.string(['data', 'custom_id'], data.custom_id, { ...required, most: DISCORD_LIMITS.customId })
  errors.string(['data', 'title'], data.title, { ...required, most: DISCORD_LIMITS.modalTitle })
  const components = new ComponentForm(errors, () => undefined).modal(data.components)
  errors.refuseIfAny()
  return { ...data, components }
}

function wantsEphemeral(form: JsonObject): boolean {
  return typeof form.flags === 'number' && (form.flags & MESSAGE_FLAG.ephemeral) !== 0
}

function isLoading(message: Message): boolean {
  return (message.body.flags & MESSAGE_FLAG.loading) !== 0
}
