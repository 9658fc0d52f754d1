import { setTimeout as wait } from 'node:timers/promises'
import { type Client, type ClientOptions, GatewayDispatchEvents, Routes } from 'discord.js'
import { z } from 'zod'
import { ConfigurationError, errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { withTimeLimit } from '../../base/with-time-limit.ts'
import type { ChatInbound } from '../../chat/event.ts'
import type { ChatSurface } from '../../chat/platform.ts'
import { askerName } from '../../queue/asker.ts'
import { KeyedSequence } from '../../queue/keyed-sequence.ts'
import { chatWords } from '../../words/chat.ts'
import type { Tells } from '../shared/platform-entry.ts'
import { reconnectDelay } from '../shared/reconnect-delay.ts'
import { cutText } from '../shared/shown-text.ts'
import { asEvent } from '../shared/watched-event.ts'
import { DISCORD_LIMITS } from './limits.ts'
import {
  type DiscordChannel,
  type DiscordChannels,
  type DiscordIdentity,
  discordDeletionEvents,
  discordMessageEvent,
} from './receive/event.ts'
import { DiscordGateway, type ListenedEvent } from './receive/gateway.ts'
import { discordInteractionEvent, type InteractionEvent } from './receive/interaction.ts'
import { fetchMissedMessages } from './receive/missed-messages.ts'
import { createDiscordResponder, type DiscordResponder } from './receive/responder.ts'
import { type CallDiscord, createDiscordCalls } from './rest.ts'
import { escapeMarkdown } from './text.ts'

export interface DiscordSurfaceOptions {
  readonly token: string
  readonly applicationId: string
  /** The address of Discord's API without the version. Set it for a proxy or a test. Default: Discord's own address. */
  readonly apiUrl?: string | undefined
  readonly logger: Logger
  readonly tells: Tells
  /** Returns the pause before an attempt to connect or accept, in milliseconds. The first attempt has the number 0. */
  readonly backoffMs?: (attempt: number) => number
  /** The time limit of one request. Tests on slow machines set it. */
  readonly responseMs?: number
  readonly client?: Partial<ClientOptions>
  /** Unix time in milliseconds. */
  readonly now?: () => number
}

type Accept = (event: ChatInbound) => Promise<void>

const channelSchema = z.object({ type: z.number(), name: z.string().nullish(), parent_id: z.string().nullish() })

/** Creates the part that receives events from Discord's gateway. It keeps each event until the event is accepted. */
export function createDiscordSurface(options: DiscordSurfaceOptions): ChatSurface {
  return new DiscordSurface(options)
}

class DiscordSurface implements ChatSurface {
  readonly name = 'discord'
  readonly #options: DiscordSurfaceOptions
  readonly #stopping = new AbortController()
  readonly #inFlight = new Set<Promise<void>>()
  readonly #turns = new KeyedSequence(DISCORD_LIMITS.eventsOfOne)
  readonly #acknowledgements = new KeyedSequence(DISCORD_LIMITS.acknowledgementsOfOne)
  readonly #directChannels = new Set<string>()
  readonly #call: CallDiscord
  readonly #responder: DiscordResponder
  #gateway: DiscordGateway | undefined
  #accept: Accept = async () => {}

  constructor(options: DiscordSurfaceOptions) {
    this.#options = options
    const { responseMs: timeoutMs = DISCORD_LIMITS.responseMs } = options
    this.#call = createDiscordCalls({ ...options, timeoutMs, waitsForLimits: true })
    this.#responder = createDiscordResponder(this.#call, options.applicationId)
  }

  async start(accept: Accept, signal: AbortSignal): Promise<void> {
    const { token, apiUrl, logger, client, backoffMs = reconnectDelay, now = Date.now } = this.#options
    if (token === '') throw new ConfigurationError('DISCORD_TOKEN does not work (it is empty): set it to the token of the bot.')
    this.#accept = accept
    this.#gateway = new DiscordGateway({
      token,
      apiUrl,
      logger,
      backoffMs,
      now,
      client,
      onEvent: (name, payload, connected) => this.#receive(name, payload, connected),
      onGap: (since, connected) => this.#track(this.#fetchMissedMessages(since, connected)),
    })
    const stop = () => void this.stop()
    signal.addEventListener('abort', stop, { once: true })
    try {
      signal.throwIfAborted()
      await this.#gateway.start()
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  connected(): boolean {
    return this.#gateway?.connected() ?? false
  }

  async stop(): Promise<void> {
    const enough = new AbortController()
    await Promise.race([
      Promise.allSettled(this.#inFlight),
      wait(this.#stopping.signal.aborted ? 0 : DISCORD_LIMITS.drainMs, undefined, { signal: enough.signal }).catch(
        () => undefined,
      ),
    ])
    enough.abort()
    this.#stopping.abort()
    await this.#gateway?.stop()
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => this.#options.logger.error({ cause: errorMessage(error) }, 'a discord event was lost'))
      .finally(() => this.#inFlight.delete(tracked))
    this.#inFlight.add(tracked)
  }

  #receive(name: ListenedEvent, payload: unknown, client: Client): void {
    if (this.#stopping.signal.aborted) return
    const receive = async () => {
      if (name === GatewayDispatchEvents.InteractionCreate) return this.#receiveInteraction(payload, client)
      if (name !== GatewayDispatchEvents.MessageCreate) return this.#inTurn(payload, () => this.#receiveDeletion(payload, client))
      return this.#inTurn(payload, () => this.#receiveMessage(payload, client))
    }
    this.#track(asEvent('discord', payload, receive))
  }

  /** Handles an event. Limits how many events of one sender are handled at once, so that a flood does not delay others. */
  async #inTurn(payload: unknown, work: () => Promise<void>): Promise<void> {
    await this.#turns.run(senderOf(payload), async () => {
      this.#stopping.signal.throwIfAborted()
      await work()
    })
  }

  async #receiveMessage(payload: unknown, client: Client): Promise<void> {
    const event = await discordMessageEvent(payload, identityOf(client), this.#channels(client))
    if (event.kind === 'unsupported') return this.#passOver(event.reason)
    if (event.kind !== 'message') return
    if (event.message.place.isDirect) this.#rememberDirect(event.message.place.channel)
    await this.#acceptAtLast(event, DISCORD_LIMITS.acceptMs)
  }

  async #receiveDeletion(payload: unknown, client: Client): Promise<void> {
    for (const event of discordDeletionEvents(payload, this.#channels(client))) {
      if (event.kind === 'unsupported') this.#passOver(event.reason)
      else await this.#acceptAtLast(event, DISCORD_LIMITS.acceptMs)
    }
  }

  async #receiveInteraction(payload: unknown, client: Client): Promise<void> {
    const event = await discordInteractionEvent(payload, this.#channels(client))
    const { signal } = this.#stopping
    const { notKnown, notAccepted } = chatWords(event.language ?? 'en')
    if (event.kind === 'unsupported') {
      this.#passOver(event.reason)
      const { keys } = event
      if (keys !== undefined) await this.#inTurn(payload, () => this.#responder.sayAlone(keys, notKnown, signal))
      return
    }
    if (event.kind === 'tell') return this.#inTurn(payload, () => this.#tell(event))
    // Acknowledgements do not wait for other work of the same sender, because they are due within 3 s.
    const acknowledge = () => this.#responder.acknowledge(event.keys, event.acknowledgement, signal)
    const responseId = await this.#acknowledgements.run(senderOf(payload), acknowledge)
    try {
      await this.#inTurn(payload, () => this.#acceptInteraction(event, responseId))
    } catch (error) {
      this.#options.logger.error({ cause: errorMessage(error) }, 'an interaction was not accepted; its user is told')
      const isOwnMessage = event.acknowledgement.response === 'message'
      await (isOwnMessage ? this.#responder.say : this.#responder.tell)(event.keys, notAccepted, signal)
    }
  }

  async #tell({ what, keys, user, workspace, language = 'en' }: Extract<InteractionEvent, { kind: 'tell' }>): Promise<void> {
    const { tells, responseMs = DISCORD_LIMITS.responseMs } = this.#options
    const { signal } = this.#stopping
    const who = { person: askerName({ platform: 'discord' }, user), workspace }
    const text = await tells[what](who, language, withTimeLimit(signal, responseMs))
    await this.#responder.sayAlone(keys, text, signal)
  }

  async #acceptInteraction(
    event: Exclude<InteractionEvent, { kind: 'unsupported' | 'tell' }>,
    responseId: string | undefined,
  ): Promise<void> {
    if (event.kind === 'press') {
      // A press that opens a form is accepted now, because the person may cancel the form. The submitted form is a second press.
      // If the form is empty, there is nothing to accept.
      if (event.press === undefined) return
      return this.#acceptAtLast({ kind: 'press', press: event.press }, DISCORD_LIMITS.acceptInteractionMs)
    }
    const message = await event.toMessage(responseId ?? event.keys.id)
    if (message === undefined) throw new Error('the channel of a command is not known')
    // Other people see that somebody used the command, but not its text. So the response quotes the question. The thread is later
    // named after this quote.
    if (message.isPrivate !== true) {
      const question = cutText(event.question, DISCORD_LIMITS.content / 2 - 10)
      await this.#responder.say(event.keys, `❓ ${escapeMarkdown(question)}`, this.#stopping.signal)
    }
    await this.#acceptAtLast({ kind: 'message', message }, DISCORD_LIMITS.acceptInteractionMs)
  }

  /**
   * Accepts an event, with retries, because Discord sends it only once.
   * @throws the last error of `accept`
   */
  async #acceptAtLast(event: ChatInbound, withinMs: number): Promise<void> {
    const { logger, backoffMs = reconnectDelay, now = Date.now } = this.#options
    const until = now() + withinMs
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#accept(event)
      } catch (error) {
        const waitMs = Math.min(backoffMs(attempt), DISCORD_LIMITS.acceptPauseMs)
        const isOver = now() + waitMs > until || this.#stopping.signal.aborted || this.#inFlight.size > DISCORD_LIMITS.waiting
        if (isOver) throw error
        logger.warn({ attempt, cause: errorMessage(error) }, 'a discord event was not accepted; trying again')
        await wait(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      }
    }
  }

  #fetchMissedMessages(since: number, client: Client): Promise<void> {
    const deps = { client, directChannels: this.#directChannels, logger: this.#options.logger }
    return fetchMissedMessages(
      deps,
      since,
      payload => this.#receive(GatewayDispatchEvents.MessageCreate, payload, client),
      this.#stopping.signal,
    )
  }

  #passOver(reason: string): void {
    this.#options.logger.debug({ reason }, 'discord event is not answered')
  }

  #rememberDirect(channel: string): void {
    this.#directChannels.delete(channel)
    this.#directChannels.add(channel)
    const [oldest] = this.#directChannels
    if (this.#directChannels.size > DISCORD_LIMITS.directChannels && oldest !== undefined) this.#directChannels.delete(oldest)
  }

  #channels(client: Client): DiscordChannels {
    const known = (id: string): DiscordChannel | undefined => {
      const channel = client.channels.cache.get(id)
      if (channel === undefined) return undefined
      const parent = 'parentId' in channel ? channel.parentId : undefined
      return {
        type: channel.type,
        name: 'name' in channel ? (channel.name ?? undefined) : undefined,
        parent: parent ?? undefined,
      }
    }
    return {
      known,
      find: async id => {
        const cached = known(id)
        if (cached !== undefined) return cached
        const found = channelSchema.safeParse(
          await this.#call(this.#stopping.signal, (rest, signal) => rest.get(Routes.channel(id), { signal })),
        )
        if (!found.success) return undefined
        return { type: found.data.type, name: found.data.name ?? undefined, parent: found.data.parent_id ?? undefined }
      },
    }
  }
}

const userSchema = z.object({ id: z.string() })
const sentSchema = z.object({
  author: userSchema.optional(),
  member: z.object({ user: userSchema.optional() }).optional(),
  user: userSchema.optional(),
})

/** Returns the id of the user who caused an event. Empty for events without a user, such as deletions. */
function senderOf(payload: unknown): string {
  const { author, member, user } = sentSchema.safeParse(payload).data ?? {}
  return (author ?? member?.user ?? user)?.id ?? ''
}

function identityOf(client: Client): DiscordIdentity {
  const user = client.user?.id ?? ''
  return {
    user,
    isIn: guild => client.guilds.cache.has(guild),
    roleIn: guild => client.guilds.cache.get(guild)?.roles.cache.find(role => role.tags?.botId === user)?.id,
  }
}
