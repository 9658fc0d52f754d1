import { Routes } from 'discord.js'
import { z } from 'zod'
import { ChatError } from '../../../chat/error.ts'
import { chatWords } from '../../../words/chat.ts'
import { refusalCode } from '../error.ts'
import { DISCORD_LIMITS } from '../limits.ts'
import { MESSAGE_FLAGS, plainPayload } from '../post/payload.ts'
import { discordMessageSchema, readResponse } from '../response.ts'
import type { CallDiscord } from '../rest.ts'
import type { Acknowledgement, InteractionKeys } from './interaction.ts'

/**
 * Discord's types of responses. Source: discord.com/developers/docs/interactions/receiving-and-responding, "Interaction Callback
 * Type".
 */
const CALLBACKS = { message: 4, deferredMessage: 5, deferredUpdate: 6, modal: 9 } as const
/** Source of the two types: discord.com/developers/docs/components/reference, "Label" and "Text Input". */
const LABEL = 18
const TEXT_INPUT = 4
const PARAGRAPH = 2

const ALREADY_ACKNOWLEDGED = 40_060

const responseSchema = z.object({ interaction: z.object({ response_message_id: z.string().optional() }) })

/** Responds to interactions in the process that receives them. Methods throw ChatError. */
export interface DiscordResponder {
  /**
   * Sends the first response. Discord requires it within 3 s. Idempotent.
   * @returns the id of the response's message, if there is one
   */
  acknowledge(keys: InteractionKeys, acknowledgement: Acknowledgement, signal: AbortSignal): Promise<string | undefined>
  /** Replaces the first response with this text, which is Discord Markdown. */
  say(keys: InteractionKeys, text: string, signal: AbortSignal): Promise<void>
  tell(keys: InteractionKeys, text: string, signal: AbortSignal): Promise<void>
  /** Shows this text to the user alone, as the first response. */
  sayAlone(keys: InteractionKeys, text: string, signal: AbortSignal): Promise<void>
}

export function createDiscordResponder(call: CallDiscord, applicationId: string): DiscordResponder {
  const body = (text: string, flags: number) => {
    const plain = plainPayload({ text, buttons: [], files: [] }).body
    return { ...plain, flags: plain.flags | flags }
  }

  async function respond(keys: InteractionKeys, response: unknown, signal: AbortSignal): Promise<string | undefined> {
    const query = new URLSearchParams({ with_response: 'true' })
    const path = Routes.interactionCallback(keys.id, keys.token)
    const send = () => call(signal, (rest, signal) => rest.post(path, { auth: false, body: response, query, signal }))
    try {
      return readResponse(responseSchema, await twiceIfNeeded(send)).interaction.response_message_id
    } catch (error) {
      if (refusalCode(error) !== ALREADY_ACKNOWLEDGED) throw error
      return undefined
    }
  }

  return {
    async acknowledge(keys, acknowledgement, signal) {
      const made = await respond(keys, callbackOf(acknowledgement), signal)
      if (acknowledgement.response !== 'message' || made !== undefined) return made
      const path = Routes.webhookMessage(applicationId, keys.token, '@original')
      return readResponse(discordMessageSchema, await call(signal, (rest, signal) => rest.get(path, { auth: false, signal }))).id
    },
    async say({ token }, text, signal) {
      const path = Routes.webhookMessage(applicationId, token, '@original')
      await twiceIfNeeded(() => call(signal, (rest, signal) => rest.patch(path, { auth: false, body: body(text, 0), signal })))
    },
    async tell({ token }, text, signal) {
      const path = Routes.webhook(applicationId, token)
      await call(signal, (rest, signal) => rest.post(path, { auth: false, body: body(text, MESSAGE_FLAGS.ephemeral), signal }))
    },
    async sayAlone(keys, text, signal) {
      await respond(keys, { type: CALLBACKS.message, data: body(text, MESSAGE_FLAGS.ephemeral) }, signal)
    },
  }
}

/**
 * Sends an idempotent request. Repeats it once if Discord does not answer. More attempts would take too long, because a person
 * waits.
 */
async function twiceIfNeeded<Value>(send: () => Promise<Value>): Promise<Value> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof ChatError && error.kind === 'unavailable') return send()
    throw error
  }
}

function callbackOf(acknowledgement: Acknowledgement): unknown {
  if (acknowledgement.response === 'update') return { type: CALLBACKS.deferredUpdate }
  if (acknowledgement.response === 'message')
    return { type: CALLBACKS.deferredMessage, data: { flags: acknowledgement.isEphemeral ? MESSAGE_FLAGS.ephemeral : 0 } }
  const { form } = acknowledgement
  const input = {
    type: TEXT_INPUT,
    custom_id: 'reason',
    style: PARAGRAPH,
    required: !form.optional,
    max_length: DISCORD_LIMITS.modalReason,
    ...(form.hint !== undefined && { placeholder: form.hint }),
  }
  const label = form.optional ? chatWords(acknowledgement.language).optional(form.label) : form.label
  const field = { type: LABEL, label, component: input }
  return { type: CALLBACKS.modal, data: { custom_id: acknowledgement.customId, title: form.title, components: [field] } }
}
