import { setTimeout as wait } from 'node:timers/promises'
import {
  Client,
  type ClientOptions,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Options,
  Status,
} from 'discord.js'
import { z } from 'zod'
import { settledWithin } from '../../../base/done-within.ts'
import { ConfigurationError, connectionReason, errorCode, errorMessage } from '../../../base/errors.ts'
import type { Logger } from '../../../base/logger.ts'
import { DISCORD_LIMITS } from '../limits.ts'
import { restOptions } from '../rest.ts'

export interface DiscordGatewayOptions {
  readonly token: string
  readonly apiUrl: string | undefined
  readonly logger: Logger
  /** Returns the pause before an attempt to connect, in milliseconds. The first attempt has the number 0. */
  readonly backoffMs: (attempt: number) => number
  readonly client?: Partial<ClientOptions> | undefined
  onEvent(name: ListenedEvent, payload: unknown, client: Client): void
  /**
   * Called at the start, and when a session could not be resumed. Events may then have been lost.
   * @param since the Unix time in milliseconds after which events may have been lost
   */
  onGap(since: number, client: Client): void
  /** Unix time in milliseconds. */
  readonly now: () => number
}

const LISTENED = [
  GatewayDispatchEvents.MessageCreate,
  GatewayDispatchEvents.MessageDelete,
  GatewayDispatchEvents.MessageDeleteBulk,
  GatewayDispatchEvents.InteractionCreate,
] as const
export type ListenedEvent = (typeof LISTENED)[number]

const INTENTS = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.DirectMessages] as const

/** Thrown when Discord refuses the token or closes the gateway permanently. */
class GatewayRefusal extends Error {
  readonly closeCode: number | undefined

  constructor(message: string, closeCode: number | undefined) {
    super(message)
    this.closeCode = closeCode
  }
}

/**
 * Keeps a connection to Discord's gateway. Discord's client resumes and reconnects by itself. After a permanent refusal (revoked
 * token, disabled intent), this class tries again with a new client, after growing pauses. If Discord refuses the message-content
 * intent, it connects without that intent.
 */
export class DiscordGateway {
  readonly #options: DiscordGatewayOptions
  readonly #stopping = new AbortController()
  #client: Client | undefined
  #keeping: Promise<void> = Promise.resolve()
  #readsContent = true
  /** The time of the last event from Discord. Undefined before the first connection. */
  #heardAt: number | undefined

  constructor(options: DiscordGatewayOptions) {
    this.#options = options
  }

  connected(): boolean {
    const shards = this.#client?.isReady() === true ? [...this.#client.ws.shards.values()] : []
    return shards.length > 0 && shards.every(shard => shard.status === Status.Ready)
  }

  /**
   * Resolves when the connection is open, however long that takes.
   * @throws ConfigurationError if the token does not work
   */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#keeping = this.#keepConnected(resolve, reject)
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#keeping
  }

  async #keepConnected(onFirst: () => void, onRefused: (error: unknown) => void): Promise<void> {
    const { logger, backoffMs, now } = this.#options
    const { signal } = this.#stopping
    let attempt = 0
    let everConnected = false
    while (!signal.aborted) {
      await wait(backoffMs(attempt), undefined, { signal }).catch(() => undefined)
      if (signal.aborted) break
      attempt += 1
      const client = this.#createClient()
      const ended = endOf(client, signal)
      ended.catch(() => undefined)
      try {
        const connecting = this.#connect(client)
        await Promise.race([connecting, ended])
        // Discord's client cannot abort a connection attempt. So this waits a moment for the attempt to end, and the client is
        // then closed.
        if (signal.aborted) await settledWithin(DISCORD_LIMITS.closeMs, connecting)
        if (signal.aborted) break
        const since = now()
        this.#client = client
        logger.info({ attempt, readsContent: this.#readsContent }, 'discord connected')
        everConnected = true
        onFirst()
        await ended
        if (now() - since >= DISCORD_LIMITS.stableMs) attempt = 0
      } catch (error) {
        if (signal.aborted) break
        if (error instanceof GatewayRefusal && error.closeCode === GatewayCloseCodes.DisallowedIntents && this.#readsContent) {
          this.#readsContent = false
          attempt = 0
          logger.warn(
            'Discord does not let this bot read the content of messages: follow-ups in threads are heard only when they mention Clew. Switch on Message Content Intent (Developer Portal → Bot), then start clew bots again.',
          )
          continue
        }
        if (!everConnected && error instanceof GatewayRefusal) {
          onRefused(tokenError(error.message, error))
          return
        }
        const level = error instanceof GatewayRefusal ? 'error' : 'warn'
        logger[level]({ attempt, cause: connectionReason(error) }, 'discord connection failed; trying again')
      } finally {
        this.#client = undefined
        await client.destroy()
      }
    }
    onRefused(signal.reason)
  }

  async #connect(client: Client): Promise<void> {
    const ready = new Promise<void>(resolve => {
      client.once(Events.ClientReady, () => resolve())
    })
    try {
      await client.login(this.#options.token)
    } catch (error) {
      // Discord's client reports a wrong token (HTTP status 401) with this code.
      if (errorCode(error) === 'TokenInvalid') throw new GatewayRefusal('Discord refuses it', undefined)
      throw error
    }
    await ready
  }

  #createClient(): Client {
    const { apiUrl, logger, client: further } = this.#options
    const client = new Client({
      ...further,
      intents: [...INTENTS, ...(this.#readsContent ? [GatewayIntentBits.MessageContent] : [])],
      rest: restOptions(apiUrl),
      allowedMentions: { parse: [] },
      // Clew looks up only servers, channels, threads and roles, so only those are cached.
      makeCache: Options.cacheWithLimits({
        ...Options.DefaultMakeCacheSettings,
        MessageManager: 0,
        UserManager: { maxSize: 0, keepOverLimit: user => user.id === user.client.user.id },
        GuildMemberManager: { maxSize: 0, keepOverLimit: member => member.id === member.client.user.id },
        PresenceManager: 0,
        ReactionManager: 0,
        ThreadMemberManager: 0,
        VoiceStateManager: 0,
      }),
    })
    client.on(Events.Error, error => logger.warn({ cause: errorMessage(error) }, 'discord client'))
    client.on(Events.ShardError, error => logger.warn({ cause: errorMessage(error) }, 'discord connection'))
    client.on(Events.ShardReconnecting, () => logger.info('discord connection ended; connecting again'))
    client.on(Events.ShardReady, () => this.#onReady(client))
    client.on(Events.ShardResume, () => this.#hear())
    readPackets(client, logger)
    for (const name of LISTENED) {
      client.ws.on(name, (payload: unknown) => {
        this.#hear()
        this.#options.onEvent(name, payload, client)
      })
    }
    return client
  }

  /** Reports that events may have been lost, because a new session does not repeat the events since the previous one. */
  #onReady(client: Client): void {
    const { now, onGap } = this.#options
    const beats = [...client.ws.shards.values()].map(shard => shard.lastPingTimestamp)
    const heardAt = this.#heardAt === undefined ? now() - DISCORD_LIMITS.gapAtStartMs : Math.max(this.#heardAt, ...beats)
    this.#hear()
    onGap(Math.max(heardAt - DISCORD_LIMITS.gapMarginMs, now() - DISCORD_LIMITS.gapMs), client)
  }

  #hear(): void {
    this.#heardAt = this.#options.now()
  }
}

const packetSchema = z.object({ t: z.string().nullish() })

/**
 * Hides messages and interactions from Discord's client, which would otherwise build and cache objects that nobody reads. Also
 * catches the error that the client throws at an unknown event. Nobody awaits the promise in which it is thrown, so it would end
 * the process.
 */
function readPackets(client: Client, logger: Logger): void {
  const { ws } = client
  // biome-ignore lint/complexity/useLiteralKeys: the method is private in the types
  const handle = ws['handlePacket'].bind(ws)
  // biome-ignore lint/complexity/useLiteralKeys: as above
  ws['handlePacket'] = (...packet) => {
    const { t: name } = packetSchema.safeParse(packet[0]).data ?? {}
    if (/^(?:MESSAGE|INTERACTION)_/.test(name ?? '')) return true
    try {
      return handle(...packet)
    } catch (error) {
      logger.warn({ cause: errorMessage(error) }, "discord's client could not read an event")
      return false
    }
  }
}

/**
 * Returns a promise that settles when a client's connection ends. It rejects if the gateway closes for good, and resolves if the
 * signal aborts.
 */
function endOf(client: Client, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once(Events.ShardDisconnect, ({ code }) => {
      reject(new GatewayRefusal(`the gateway closed with ${code} ${GatewayCloseCodes[code] ?? ''}`.trim(), code))
    })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function tokenError(reason: string, cause: unknown): ConfigurationError {
  return new ConfigurationError(
    `DISCORD_TOKEN does not work (${reason}): set it to the token of the application's bot (Developer Portal → Bot → Reset Token).`,
    { cause },
  )
}
