import { type RawFile, Routes } from 'discord.js'
import type { Logger } from '../../base/logger.ts'
import { inSlices } from '../../base/slices.ts'
import type { LinkHost } from '../../base/text/link-hosts.ts'
import { missingPictureText } from '../../charts/picture-text.ts'
import { ChatError } from '../../chat/error.ts'
import type { ChatPress } from '../../chat/event.ts'
import type { ChatOutbox, ChatTarget, PersonSettings, PostedMessage, RenderedPart } from '../../chat/platform.ts'
import type { PrivateReply, Reply } from '../../chat/reply.ts'
import { chatWords } from '../../words/chat.ts'
import { createDrawnPictures, type DrawnPictures, type DrawPicture } from '../shared/drawn-pictures.ts'
import { refusalCode } from './error.ts'
import { DISCORD_LIMITS } from './limits.ts'
import { filesByMessage } from './post/files.ts'
import { type DiscordPayload, isMarkerAddress, markerAddress, nonceOf, plainPayload, richPayload } from './post/payload.ts'
import { createPrivateMessages, type PrivateMessages } from './post/private.ts'
import { inThread } from './post/threads.ts'
import { type DiscordPart, discordPartSchema } from './render/part.ts'
import { renderDiscordReply, renderPrivateReply } from './render/render.ts'
import {
  type DiscordMessage,
  discordMessageSchema,
  discordMessagesSchema,
  identifiedSchema,
  readResponse,
  showsBody,
} from './response.ts'
import { type CallDiscord, createDiscordCalls, type DiscordRestOptions } from './rest.ts'

export interface DiscordOutboxOptions extends DiscordRestOptions {
  readonly applicationId: string
  readonly logger: Logger
  /** Links in answers may lead to these hosts only. Default: none. */
  readonly allowedLinkHosts?: readonly LinkHost[]
  /** Draws a chart or graph as PNG. Without this function, no picture is shown. */
  readonly drawChart?: DrawPicture
  /** Unix time in milliseconds. */
  readonly now?: () => number
}

const UNKNOWN_CHANNEL = 10_003

/** Creates the part that sends to Discord. It uses REST and never the gateway. */
export function createDiscordOutbox(options: DiscordOutboxOptions): ChatOutbox {
  return new DiscordOutbox(options)
}

class DiscordOutbox implements ChatOutbox {
  readonly #options: DiscordOutboxOptions
  readonly #call: CallDiscord
  readonly #private: PrivateMessages
  readonly #drawn: DrawnPictures
  /**
   * The markers of messages, by message id. A marker is the text by which Clew recognises its post. Undefined if the message has
   * none.
   */
  readonly #markers = new Map<string, string | undefined>()
  #ownUser: string | undefined

  constructor(options: DiscordOutboxOptions) {
    this.#options = options
    this.#call = createDiscordCalls(options)
    this.#drawn = createDrawnPictures(options.drawChart, options.logger)
    this.#private = createPrivateMessages({
      call: this.#call,
      applicationId: options.applicationId,
      now: options.now ?? Date.now,
    })
  }

  render(reply: Reply): Promise<readonly RenderedPart[]> {
    return inSlices(renderDiscordReply(reply, this.#links()))
  }

  async prepare(target: ChatTarget, part: RenderedPart, signal: AbortSignal): Promise<void> {
    await this.#drawn(part, discordPartSchema.parse(part).chart, target, signal)
  }

  async post(target: ChatTarget, part: RenderedPart, marker: string, signal: AbortSignal): Promise<PostedMessage> {
    const drawn = await this.#drawn(part, discordPartSchema.parse(part).chart, target, signal)
    return this.#show(part, { address: markerAddress(marker), drawn }, async payload => {
      if (target.isPrivate === true) return this.#private.post(target, payload, marker, signal)
      const posted = await inThread(this.#call, target, () => this.#create(target.thread, payload, marker, signal), signal)
      this.#remember(posted.id, markerAddress(marker))
      // Discord answers a repeated nonce with the earlier message. If that message has different content, an edit corrects it.
      if (!showsBody(posted, payload.body)) await this.#patch(target.thread, posted.id, payload, signal)
      return { id: posted.id }
    })
  }

  async edit(target: ChatTarget, posted: PostedMessage, part: RenderedPart, signal: AbortSignal): Promise<void> {
    const address = target.isPrivate === true ? undefined : await this.#markerOf(target.thread, posted.id, signal)
    const drawn = await this.#drawn(part, discordPartSchema.parse(part).chart, target, signal)
    await this.#show(part, { address, drawn }, async payload => {
      if (target.isPrivate !== true) await this.#patch(target.thread, posted.id, payload, signal)
      else await this.#private.edit(target, posted, payload, signal)
    })
  }

  async find(target: ChatTarget, marker: string, signal: AbortSignal): Promise<readonly PostedMessage[]> {
    if (target.isPrivate === true) return this.#private.find(target, marker, signal)
    const ownUser = await this.#identify(signal)
    const found: PostedMessage[] = []
    let before: string | undefined
    for (let page = 0; page < DISCORD_LIMITS.markerPages; page += 1) {
      const messages = await this.#messages(target.thread, before, signal)
      const own = messages.filter(
        ({ author, embeds }) => author?.id === ownUser && embeds.some(embed => embed.url === markerAddress(marker)),
      )
      found.push(...own.map(({ id }) => ({ id })))
      before = messages.at(-1)?.id
      if (messages.length < DISCORD_LIMITS.messagesPage) break
    }
    return found.reverse()
  }

  async remove(target: ChatTarget, posted: PostedMessage, signal: AbortSignal): Promise<void> {
    if (target.isPrivate === true) return this.#private.remove(target, posted, signal)
    try {
      await this.#call(signal, (rest, signal) => rest.delete(Routes.channelMessage(target.thread, posted.id), { signal }))
    } catch (error) {
      if (!(error instanceof ChatError) || error.kind !== 'removed') throw error
    }
  }

  /** Returns no settings. Discord does not tell time zones, and it tells a person's language only with a press. */
  async personOf(): Promise<PersonSettings> {
    return {}
  }

  async answerPress(press: ChatPress, reply: PrivateReply, signal: AbortSignal): Promise<void> {
    const target = { ...press.place, author: press.user, interaction: press.interaction }
    try {
      for (const [index, { part, files }] of (await this.#privateMessages(reply)).entries()) {
        await this.#show(part, {}, payload =>
          this.#private.post(target, withFiles(payload, files), `${press.pressId}-${index}`, signal),
        )
      }
    } catch (error) {
      if (!(error instanceof ChatError) || error.kind !== 'forbidden') throw error
      // Neither the interaction's token nor a direct message reaches the person. Other people must not see the private reply, so
      // a message in the channel only says that it cannot be delivered.
      await this.#sayUnreachable(press, signal)
    }
  }

  /** Attaches files to the last part. Files that do not fit follow in further messages. */
  async #privateMessages(
    reply: PrivateReply,
  ): Promise<readonly { readonly part: DiscordPart; readonly files: readonly RawFile[] }[]> {
    const parts = await inSlices(renderPrivateReply(reply, this.#links()))
    const [first = [], ...others] = filesByMessage(reply.files ?? [])
    return [
      ...parts.map((part, index) => ({ part, files: index === parts.length - 1 ? first : [] })),
      ...others.map(files => ({
        part: { text: files.map(({ name }) => `\`${name}\``).join(', '), buttons: [], files: [] },
        files,
      })),
    ]
  }

  async #sayUnreachable({ place, user, pressId, language }: ChatPress, signal: AbortSignal): Promise<void> {
    const text = `<@${user}> ${chatWords(language ?? 'en').outOfReach}`
    const payload = plainPayload({ text, mentions: user, buttons: [], files: [] })
    await inThread(this.#call, place, () => this.#create(place.thread, payload, `${pressId}-unreachable`, signal), signal)
  }

  /** Sends a part of the reply as an embed. If Discord refuses the embed, sends the part as plain text. */
  async #show<T>(
    rendered: RenderedPart,
    { address, drawn }: { readonly address?: string | undefined; readonly drawn?: Uint8Array | undefined },
    send: (payload: DiscordPayload) => Promise<T>,
  ): Promise<T> {
    const whole = discordPartSchema.parse(rendered)
    const { chart } = whole
    const isMissed = chart !== undefined && drawn === undefined && this.#options.drawChart !== undefined
    const part = isMissed ? { ...whole, text: `${whole.text}\n-# ${missingPictureText(chart)}` } : whole
    try {
      return await send(richPayload(part, address, drawn))
    } catch (error) {
      if (!(error instanceof ChatError) || error.kind !== 'rejected') throw error
      this.#options.logger.warn({ cause: error.message }, 'discord refused the embed; sending plain text')
      return await send(plainPayload(part, drawn))
    }
  }

  async #create(channel: string, { body, files }: DiscordPayload, marker: string, signal: AbortSignal): Promise<DiscordMessage> {
    const marked = { ...body, nonce: nonceOf(marker), enforce_nonce: true }
    const answer = await this.#call(signal, (rest, signal) =>
      rest.post(Routes.channelMessages(channel), { body: marked, files, signal }),
    )
    return readResponse(discordMessageSchema, answer)
  }

  async #patch(channel: string, id: string, { body, files }: DiscordPayload, signal: AbortSignal): Promise<void> {
    await this.#call(signal, (rest, signal) => rest.patch(Routes.channelMessage(channel, id), { body, files, signal }))
  }

  async #messages(channel: string, before: string | undefined, signal: AbortSignal): Promise<readonly DiscordMessage[]> {
    const query = new URLSearchParams({ limit: String(DISCORD_LIMITS.messagesPage), ...(before === undefined ? {} : { before }) })
    try {
      const answer = await this.#call(signal, (rest, signal) => rest.get(Routes.channelMessages(channel), { query, signal }))
      return readResponse(discordMessagesSchema, answer)
    } catch (error) {
      // The thread does not exist yet, so it has no posts.
      if (refusalCode(error) === UNKNOWN_CHANNEL) return []
      throw error
    }
  }

  /** Returns the marker of a message. An edit must keep the marker. */
  async #markerOf(channel: string, id: string, signal: AbortSignal): Promise<string | undefined> {
    if (!this.#markers.has(id)) {
      const answer = await this.#call(signal, (rest, signal) => rest.get(Routes.channelMessage(channel, id), { signal }))
      const { embeds } = readResponse(discordMessageSchema, answer)
      this.#remember(id, embeds.map(embed => embed.url ?? '').find(isMarkerAddress))
    }
    return this.#markers.get(id)
  }

  #remember(id: string, address: string | undefined): void {
    const oldest = this.#markers.keys().next()
    if (this.#markers.size >= DISCORD_LIMITS.cachedMarkers && !oldest.done) this.#markers.delete(oldest.value)
    this.#markers.set(id, address)
  }

  async #identify(signal: AbortSignal): Promise<string> {
    this.#ownUser ??= readResponse(
      identifiedSchema,
      await this.#call(signal, (rest, signal) => rest.get(Routes.user(), { signal })),
    ).id
    return this.#ownUser
  }

  #links() {
    return { allowedLinkHosts: this.#options.allowedLinkHosts ?? [] }
  }
}

function withFiles(payload: DiscordPayload, files: readonly RawFile[]): DiscordPayload {
  if (files.length === 0) return payload
  const all = [...payload.files, ...files]
  return { ...payload, body: { ...payload.body, attachments: all.map(({ name }, id) => ({ id, filename: name })) }, files: all }
}
