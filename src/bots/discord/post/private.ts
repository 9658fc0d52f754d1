import { Routes } from 'discord.js'
import { z } from 'zod'
import { ChatError } from '../../../chat/error.ts'
import type { ChatTarget, PostedMessage } from '../../../chat/platform.ts'
import { isTokenSpent } from '../error.ts'
import { DISCORD_LIMITS } from '../limits.ts'
import { type DiscordMessage, discordMessageSchema, identifiedSchema, readResponse, showsBody } from '../response.ts'
import type { CallDiscord } from '../rest.ts'
import { snowflakeTimeMs } from '../snowflake.ts'
import { type DiscordPayload, MESSAGE_FLAGS, markerAddress, nonceOf } from './payload.ts'

/**
 * The id and token of an interaction. Later answers need them, so they are stored with messages and presses. `response` is the
 * kind of the first response: `message` is a "thinking" message, and `update` is nothing visible.
 */
const interactionSchema = z.object({
  id: z.string().regex(/^\d{1,20}$/),
  token: z.string().min(1),
  response: z.enum(['message', 'update']),
})
export type DiscordInteraction = z.infer<typeof interactionSchema>

/**
 * Shows private messages through the interaction's token. When the token has expired, shows them by direct message. Methods throw
 * ChatError.
 */
export interface PrivateMessages {
  post(target: ChatTarget, payload: DiscordPayload, marker: string, signal: AbortSignal): Promise<PostedMessage>
  edit(target: ChatTarget, posted: PostedMessage, payload: DiscordPayload, signal: AbortSignal): Promise<void>
  find(target: ChatTarget, marker: string, signal: AbortSignal): Promise<readonly PostedMessage[]>
  /** Removes a message. Does nothing if the message is missing or cannot be reached. */
  remove(target: ChatTarget, posted: PostedMessage, signal: AbortSignal): Promise<void>
}

export interface PrivateMessagesDeps {
  readonly call: CallDiscord
  readonly applicationId: string
  /** Unix time in milliseconds. */
  readonly now: () => number
}

export function createPrivateMessages({ call, applicationId, now }: PrivateMessagesDeps): PrivateMessages {
  const liveInteraction = (target: Pick<ChatTarget, 'interaction'>): DiscordInteraction | undefined => {
    const parsed = interactionSchema.safeParse(target.interaction)
    return parsed.success && now() - snowflakeTimeMs(parsed.data.id) < DISCORD_LIMITS.tokenMs ? parsed.data : undefined
  }

  /** Fetches the first response to an interaction. Undefined if the person has dismissed it. */
  async function original({ token }: DiscordInteraction, signal: AbortSignal): Promise<DiscordMessage | undefined> {
    const path = Routes.webhookMessage(applicationId, token, '@original')
    try {
      return readResponse(discordMessageSchema, await call(signal, (rest, signal) => rest.get(path, { auth: false, signal })))
    } catch (error) {
      if (!(error instanceof ChatError) || error.kind !== 'removed') throw error
      return undefined
    }
  }

  async function edit(token: string, id: string, { body, files }: DiscordPayload, signal: AbortSignal): Promise<void> {
    const path = Routes.webhookMessage(applicationId, token, id)
    await call(signal, (rest, signal) => rest.patch(path, { auth: false, body, files, signal }))
  }

  async function byToken(interaction: DiscordInteraction, payload: DiscordPayload, signal: AbortSignal): Promise<PostedMessage> {
    const { token } = interaction
    if (interaction.response === 'message') {
      const first = await original(interaction, signal)
      if (first !== undefined && (first.flags & MESSAGE_FLAGS.loading) !== 0) {
        await edit(token, '@original', payload, signal)
        return { id: first.id }
      }
    }
    const body = { ...payload.body, flags: payload.body.flags | MESSAGE_FLAGS.ephemeral }
    const path = Routes.webhook(applicationId, token)
    const answer = await call(signal, (rest, signal) => rest.post(path, { auth: false, body, files: payload.files, signal }))
    return readResponse(identifiedSchema, answer)
  }

  async function direct(user: string, payload: DiscordPayload, marker: string, signal: AbortSignal): Promise<PostedMessage> {
    const channel = await directChannel(user, signal)
    const body = { ...payload.body, nonce: nonceOf(marker), enforce_nonce: true }
    const path = Routes.channelMessages(channel)
    const answer = await call(signal, (rest, signal) => rest.post(path, { body, files: payload.files, signal }))
    const posted = readResponse(discordMessageSchema, answer)
    // Discord answers a repeated nonce with the earlier message. If that message has different content, an edit corrects it.
    if (!showsBody(posted, payload.body)) await patch(channel, posted.id, payload, signal)
    return { id: posted.id }
  }

  /** Edits a direct message. If there is no such direct message, sends a new one. */
  async function editDirect(user: string, id: string, payload: DiscordPayload, signal: AbortSignal): Promise<void> {
    if (payload.isPassing) return
    try {
      await patch(await directChannel(user, signal), id, payload, signal)
    } catch (error) {
      if (!(error instanceof ChatError) || (error.kind !== 'removed' && error.kind !== 'gone')) throw error
      await direct(user, payload, `instead of ${id}`, signal)
    }
  }

  async function patch(channel: string, id: string, { body, files }: DiscordPayload, signal: AbortSignal): Promise<void> {
    await call(signal, (rest, signal) => rest.patch(Routes.channelMessage(channel, id), { body, files, signal }))
  }

  async function removeAt(path: `/${string}`, options: { readonly auth?: false }, signal: AbortSignal): Promise<void> {
    await call(signal, (rest, signal) => rest.delete(path, { ...options, signal }))
  }

  async function directChannel(user: string, signal: AbortSignal): Promise<string> {
    const answer = await call(signal, (rest, signal) =>
      rest.post(Routes.userChannels(), { body: { recipient_id: user }, signal }),
    )
    return readResponse(identifiedSchema, answer).id
  }

  /** Calls `work` with the interaction's token. If the token has expired, calls `otherwise` instead. */
  async function orElse<T>(
    target: ChatTarget,
    work: (interaction: DiscordInteraction) => Promise<T>,
    otherwise: () => Promise<T>,
  ): Promise<T> {
    const interaction = liveInteraction(target)
    if (interaction === undefined) return otherwise()
    try {
      return await work(interaction)
    } catch (error) {
      if (!isTokenSpent(error)) throw error
      return otherwise()
    }
  }

  return {
    post: (target, payload, marker, signal) =>
      orElse(
        target,
        interaction => byToken(interaction, payload, signal),
        () => direct(authorOf(target), payload, marker, signal),
      ),
    edit: (target, posted, payload, signal) =>
      orElse(
        target,
        ({ token }) => edit(token, posted.id, payload, signal),
        () => editDirect(authorOf(target), posted.id, payload, signal),
      ),
    find: (target, marker, signal) =>
      orElse(
        target,
        async interaction => {
          const first = interaction.response === 'message' ? await original(interaction, signal) : undefined
          return first?.embeds.some(embed => embed.url === markerAddress(marker)) ? [{ id: first.id }] : []
        },
        async () => [],
      ),
    remove: (target, { id }, signal) =>
      orElse(
        target,
        ({ token }) => removeAt(Routes.webhookMessage(applicationId, token, id), { auth: false }, signal),
        async () => removeAt(Routes.channelMessage(await directChannel(authorOf(target), signal), id), {}, signal),
      ).catch(goneAlready),
  }
}

function goneAlready(error: unknown): void {
  if (!(error instanceof ChatError) || (error.kind !== 'removed' && error.kind !== 'gone')) throw error
}

function authorOf({ author }: ChatTarget): string {
  if (author === undefined) throw new ChatError('There is nobody to show this to.', { kind: 'gone' })
  return author
}
