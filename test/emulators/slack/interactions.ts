import { z } from 'zod'
import { ApiRefusal } from './api-refusal.ts'
import { parseBlocks } from './block-validation.ts'
import type { EmulatorClock } from './emulator-clock.ts'
import { type AppIdentity, type JsonObject, messagePayload } from './message-payload.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import type { Block, MessageReference, SlackChannel, SlackMessage, SlackUser } from './slack-model.ts'
import type { Deliverer, Delivery } from './socket-mode.ts'
import type { Triggers } from './triggers.ts'
import type { Workspace } from './workspace.ts'

interface ResponseTicket {
  readonly channel: string
  readonly user: string
  readonly message: SlackMessage | undefined
  readonly issuedAt: number
  uses: number
}

interface Pressable {
  readonly actionId: string
  readonly type: string
  readonly value: string | undefined
  readonly label: JsonObject
  readonly blockId: string
}

/** Slack documents this at docs.slack.dev/interactivity/handling-user-interaction, "Message responses". */
const responseSchema = z.object({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  response_type: z.enum(['in_channel', 'ephemeral']).optional(),
  replace_original: z.boolean().optional(),
  delete_original: z.boolean().optional(),
  thread_ts: z.string().optional(),
})

/** Slash commands and presses of buttons. Also handles the app's responses to them, by `response_url` or acknowledgement. */
export class Interactions {
  readonly #workspace: Workspace
  readonly #app: AppIdentity
  readonly #deliverer: Deliverer
  readonly #clock: EmulatorClock
  readonly #triggers: Triggers
  readonly #tickets = new Map<string, ResponseTicket>()
  readonly #commands = new WeakMap<Delivery, ResponseTicket>()
  #origin = ''

  constructor(options: {
    workspace: Workspace
    app: AppIdentity
    deliverer: Deliverer
    clock: EmulatorClock
    triggers: Triggers
  }) {
    this.#workspace = options.workspace
    this.#app = options.app
    this.#deliverer = options.deliverer
    this.#clock = options.clock
    this.#triggers = options.triggers
  }

  /** Sets the address of the emulator. The addresses in payloads begin with it. */
  listenAt(origin: string): void {
    this.#origin = origin
  }

  /** Slack documents this at docs.slack.dev/interactivity/implementing-slash-commands, "Preparing your app to receive commands". */
  command(user: SlackUser, channel: SlackChannel, command: string, text: string): Delivery {
    const ticket = this.#issue(channel.id, user.id, undefined)
    const delivery = this.#deliverer.deliver('slash_commands', {
      token: 'emulated-verification-token',
      team_id: this.#workspace.teamId,
      team_domain: this.#workspace.teamName,
      channel_id: channel.id,
      channel_name: channel.kind === 'im' ? 'directmessage' : channel.name,
      user_id: user.id,
      user_name: user.name,
      command,
      text,
      api_app_id: this.#app.appId,
      is_enterprise_install: 'false',
      response_url: ticket.url,
      trigger_id: this.#triggers.issue(user.id),
    })
    this.#commands.set(delivery, ticket.ticket)
    return delivery
  }

  /** Slack documents this at docs.slack.dev/reference/interaction-payloads/block_actions-payload. */
  press(
    user: SlackUser,
    reference: MessageReference,
    wanted: { readonly actionId?: string; readonly value?: string; readonly label?: string },
  ): Delivery {
    const message = this.#workspace.messages(reference.channel).find(candidate => candidate.ts === reference.ts)
    if (message === undefined || message.deletedAt !== undefined) throw new Error(`There is no message ${reference.ts}`)
    const buttons = message.blocks.flatMap(pressables)
    const button = buttons.find(
      candidate =>
        (wanted.actionId === undefined || candidate.actionId === wanted.actionId) &&
        (wanted.value === undefined || candidate.value === wanted.value) &&
        (wanted.label === undefined || candidate.label.text === wanted.label),
    )
    if (button === undefined) {
      throw new Error(`No such button; there are: ${buttons.map(one => `${one.actionId}=${String(one.label.text)}`).join(', ')}`)
    }
    const channel = this.#workspace.channels.get(message.channel)
    const { ticket: _ticket, url } = this.#issue(message.channel, user.id, message)
    return this.#deliverer.deliver('interactive', {
      type: 'block_actions',
      user: { id: user.id, username: user.name, name: user.name, team_id: this.#workspace.teamId },
      api_app_id: this.#app.appId,
      token: 'emulated-verification-token',
      container: {
        type: 'message',
        message_ts: message.ts,
        channel_id: message.channel,
        is_ephemeral: message.visibleTo !== undefined,
        ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
      },
      trigger_id: this.#triggers.issue(user.id),
      team: { id: this.#workspace.teamId, domain: this.#workspace.teamName },
      enterprise: null,
      is_enterprise_install: false,
      channel: { id: message.channel, name: channel?.kind === 'im' ? 'directmessage' : channel?.name },
      ...(message.visibleTo === undefined
        ? { message: messagePayload(this.#workspace, this.#app, message, { withMetadata: true }) }
        : {}),
      state: { values: {} },
      response_url: url,
      actions: [
        {
          type: button.type,
          action_id: button.actionId,
          block_id: button.blockId,
          text: button.label,
          ...(button.value === undefined ? {} : { value: button.value }),
          action_ts: this.#workspace.newTimestamp(),
        },
      ],
    })
  }

  /** Slack documents this at docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload, `message_action`. */
  shortcut(user: SlackUser, reference: MessageReference, callbackId: string): Delivery {
    const message = this.#workspace.find(reference.channel, reference.ts)
    if (message === undefined) throw new Error(`There is no message ${reference.ts}`)
    const channel = this.#workspace.channels.get(message.channel)
    return this.#deliverer.deliver('interactive', {
      type: 'message_action',
      token: 'emulated-verification-token',
      callback_id: callbackId,
      trigger_id: this.#triggers.issue(user.id),
      response_url: this.#issue(message.channel, user.id, undefined).url,
      action_ts: this.#workspace.newTimestamp(),
      team: { id: this.#workspace.teamId, domain: this.#workspace.teamName },
      user: { id: user.id, name: user.name },
      channel: { id: message.channel, name: channel?.kind === 'im' ? 'directmessage' : channel?.name },
      message_ts: message.ts,
      message: messagePayload(this.#workspace, this.#app, message, { withMetadata: true }),
      is_enterprise_install: false,
      enterprise: null,
    })
  }

  /** Shows the text in a command's acknowledgement to the person, like a response to its `response_url`. */
  acknowledged(delivery: Delivery): void {
    const ticket = this.#commands.get(delivery)
    if (ticket === undefined || delivery.response === undefined || Object.keys(delivery.response).length === 0) return
    this.#respond(ticket, delivery.response)
  }

  /** Handles a response of the app to a `response_url`. @returns the HTTP status and body of Slack's answer */
  respond(ticketId: string, body: Buffer): { readonly status: number; readonly body: string } {
    const ticket = this.#tickets.get(ticketId)
    if (ticket === undefined) return { status: 404, body: 'invalid_url' }
    if (this.#clock.now() - ticket.issuedAt > SLACK_LIMITS.responseUrlMs) return { status: 404, body: 'expired_url' }
    if (ticket.uses >= SLACK_LIMITS.responseUrlUses) return { status: 404, body: 'used_url' }
    ticket.uses += 1
    try {
      this.#respond(ticket, JSON.parse(body.toString()))
      return { status: 200, body: 'ok' }
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error
      return { status: 400, body: error.error }
    }
  }

  #respond(ticket: ResponseTicket, payload: unknown): void {
    const response = responseSchema.safeParse(payload)
    if (!response.success) throw new ApiRefusal('invalid_payload')
    const { text, response_type, replace_original, delete_original, thread_ts } = response.data
    if (delete_original === true && ticket.message !== undefined) {
      this.#workspace.delete(ticket.message)
      return
    }
    const blocks =
      response.data.blocks === undefined ? undefined : parseBlocks(response.data.blocks, () => this.#workspace.newId('b'))
    if (text === undefined && blocks === undefined) throw new ApiRefusal('no_text')
    const content = { text: text ?? '', ...(blocks === undefined ? {} : { blocks }) }
    if (replace_original === true && ticket.message !== undefined) {
      this.#workspace.edit(ticket.message, this.#app.botUserId, content)
      return
    }
    this.#workspace.post(ticket.channel, {
      user: this.#app.botUserId,
      botId: this.#app.botId,
      ...content,
      threadTs: thread_ts,
      visibleTo: response_type === 'in_channel' ? undefined : ticket.user,
    })
  }

  #issue(channel: string, user: string, message: SlackMessage | undefined): { ticket: ResponseTicket; url: string } {
    const id = this.#workspace.newId('R')
    const ticket: ResponseTicket = { channel, user, message, issuedAt: this.#clock.now(), uses: 0 }
    this.#tickets.set(id, ticket)
    return { ticket, url: `${this.#origin}/response/${id}` }
  }
}

const labelSchema = z.record(z.string(), z.unknown())
const buttonSchema = z.object({
  type: z.literal(['button', 'icon_button']),
  action_id: z.string(),
  text: labelSchema,
  value: z.string().optional(),
})
const feedbackSchema = z.object({
  type: z.literal('feedback_buttons'),
  action_id: z.string(),
  positive_button: z.object({ text: labelSchema, value: z.string() }),
  negative_button: z.object({ text: labelSchema, value: z.string() }),
})
const holderSchema = z.object({
  block_id: z.string(),
  elements: z.array(z.unknown()).optional(),
  accessory: z.unknown().optional(),
})

function pressables(block: Block): readonly Pressable[] {
  const holder = holderSchema.safeParse(block)
  if (!holder.success) return []
  const { block_id: blockId, elements = [], accessory } = holder.data
  return [...elements, accessory].flatMap((element): readonly Pressable[] => {
    const button = buttonSchema.safeParse(element)
    if (button.success) {
      const { type, action_id: actionId, value, text } = button.data
      return [{ actionId, type, value, label: text, blockId }]
    }
    const feedback = feedbackSchema.safeParse(element)
    if (!feedback.success) return []
    const { type, action_id: actionId, positive_button, negative_button } = feedback.data
    return [positive_button, negative_button].map(({ text, value }) => ({ actionId, type, value, label: text, blockId }))
  })
}
