import type { App, Receiver } from '@slack/bolt'
import { SocketModeClient } from '@slack/socket-mode'
import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api'
import { z } from 'zod'
import { errorMessage } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { slackLogger } from './slack-logger.ts'
import { delay, settledWithin } from './slack-wait.ts'

export interface SlackSocketOptions {
  /** `xapp-…` */
  readonly appToken: string
  readonly apiUrl: string | undefined
  readonly logger: Logger
  /** How long a pong, and how long a connection's first word, may take. */
  readonly pongTimeoutMs: number
  readonly helloTimeoutMs: number
  /** The wait before the n-th attempt in a row to connect (0 for the first). */
  readonly backoffMs: (attempt: number) => number
}

/** A connection that stood for so long was a good one: the next attempt starts afresh. */
const STABLE_MS = 10_000
/** What was accepted while stopping is still acknowledged, for so long. */
const DRAIN_MS = 3_000
/** A closing handshake that the other side does not answer is not waited for any longer. */
const CLOSE_MS = 1_000

const envelopeSchema = z.object({
  type: z.string(),
  body: z.record(z.string(), z.unknown()),
  ack: z.custom<(response?: unknown) => Promise<void>>(value => typeof value === 'function'),
  retry_num: z.number().optional(),
  retry_reason: z.string().optional(),
})
type Envelope = z.infer<typeof envelopeSchema>

/** One connection. A message that cannot be read is dropped: the base class would let its error end the process. */
class Connection extends SocketModeClient {
  onUnreadable: (error: unknown) => void = () => {}

  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    try {
      await super.onWebSocketMessage(data, isBinary)
    } catch (error) {
      this.onUnreadable(error)
    }
  }
}

/**
 * Bolt's receiver for Socket Mode, in place of its own, for two reasons. Bolt acknowledges an event before the listeners run; this one
 * acknowledges when they have all returned, and not at all when one throws, so that Slack sends the event again. And the SDK's own
 * reconnecting ends the process when the network is away or the token is revoked while it tries; here each connection is a client of its
 * own, and the next one follows at once after a good connection, else after a growing wait.
 */
export class SlackSocket implements Receiver {
  readonly #options: SlackSocketOptions
  readonly #stopping = new AbortController()
  readonly #inFlight = new Set<Promise<void>>()
  #app: App | undefined
  #connection: Connection | undefined
  #connected = false
  #keeping: Promise<void> = Promise.resolve()

  constructor(options: SlackSocketOptions) {
    this.#options = options
  }

  init(app: App): void {
    this.#app = app
  }

  connected(): boolean {
    return this.#connected
  }

  /** Resolves once connected, however long Slack is away. @throws what Slack refused the first connection with */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#keeping = this.#keepConnected(resolve, reject)
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await settledWithin(DRAIN_MS, Promise.allSettled(this.#inFlight))
    // A connection in the making is let through and then closed: the SDK leaks a timer of 30 s when it is broken off.
    if (!this.#connected) await settledWithin(CLOSE_MS, this.#keeping)
    if (this.#connection !== undefined) await settledWithin(CLOSE_MS, this.#connection.disconnect())
    this.#connected = false
    await settledWithin(CLOSE_MS, this.#keeping)
  }

  async #keepConnected(onFirst: () => void, onRefused: (error: unknown) => void): Promise<void> {
    const { logger, backoffMs } = this.#options
    const { signal } = this.#stopping
    let attempt = 0
    let everConnected = false
    while (!signal.aborted) {
      await delay(backoffMs(attempt), signal)
      if (signal.aborted) break
      attempt += 1
      try {
        const { ended } = await this.#connect()
        const since = performance.now()
        logger.info({ attempt }, 'slack connected')
        everConnected = true
        onFirst()
        await ended
        if (performance.now() - since >= STABLE_MS) attempt = 0
        if (!signal.aborted) logger.info('slack connection ended; connecting again')
      } catch (error) {
        if (!everConnected && error instanceof WebAPIPlatformError && isRefusal(error)) {
          onRefused(error)
          return
        }
        const level = error instanceof WebAPIPlatformError ? 'error' : 'warn'
        logger[level](
          { attempt, cause: errorMessage(error ?? 'closed before the hello') },
          'slack connection failed; trying again',
        )
        if (error instanceof WebAPIRateLimitedError) await delay(error.retryAfter * 1_000, signal)
      } finally {
        this.#connected = false
      }
    }
    onRefused(signal.reason)
  }

  /** Resolves when Slack has said hello. `ended` resolves when the connection is gone. */
  async #connect(): Promise<{ readonly ended: Promise<void> }> {
    const { logger, helloTimeoutMs } = this.#options
    const connection = this.#createConnection()
    this.#connection = connection
    const ended = new Promise<void>(resolve => {
      connection.once('disconnected', () => resolve())
    })
    connection.onUnreadable = error => logger.warn({ cause: errorMessage(error) }, 'slack sent a message that cannot be read')
    connection.on('slack_event', (payload: unknown) => this.#receive(payload))
    const isSilent = setTimeout(() => {
      logger.warn('slack opened a connection and said nothing')
      void connection.disconnect()
      // Asking for the address has a limit of its own, as long.
    }, 2 * helloTimeoutMs)
    try {
      await connection.start()
    } finally {
      clearTimeout(isSilent)
    }
    // Stopped while the address was asked for: `stop` found nothing to close then.
    if (this.#stopping.signal.aborted) await settledWithin(CLOSE_MS, connection.disconnect())
    else this.#connected = true
    return { ended }
  }

  #createConnection(): Connection {
    const { appToken, apiUrl, logger, pongTimeoutMs, helloTimeoutMs } = this.#options
    return new Connection({
      appToken,
      logger: slackLogger(logger),
      autoReconnectEnabled: false,
      clientPingTimeout: pongTimeoutMs,
      clientOptions: {
        ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
        timeout: helloTimeoutMs,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
      },
    })
  }

  #receive(payload: unknown): void {
    // Whatever is not acknowledged comes again, to this process's successor.
    if (this.#stopping.signal.aborted) return
    const envelope = envelopeSchema.safeParse(payload)
    if (!envelope.success) {
      this.#options.logger.warn({ cause: envelope.error.message }, 'slack sent an envelope that cannot be read')
      return
    }
    const handled = this.#handle(envelope.data).finally(() => this.#inFlight.delete(handled))
    this.#inFlight.add(handled)
  }

  async #handle({ type, body, ack, retry_num, retry_reason }: Envelope): Promise<void> {
    const isEvent = type === 'events_api'
    try {
      await this.#app?.processEvent({
        body,
        // An event's acknowledgement is ours; a command's or a button's is the listener's, with what it answers.
        ack: isEvent ? async () => {} : ack,
        ...(retry_num === undefined ? {} : { retryNum: retry_num }),
        ...(retry_reason === undefined ? {} : { retryReason: retry_reason }),
      })
      if (isEvent) await ack()
    } catch (error) {
      const again = isEvent ? 'a slack event was not accepted; slack sends it again' : 'a slack interaction was not accepted'
      this.#options.logger.error({ type, cause: errorMessage(error) }, again)
    }
  }
}

/** Refusals of a token that no waiting mends, as `apps.connections.open` lists them. */
const REFUSALS: ReadonlySet<string> = new Set([
  'account_inactive',
  'forbidden_team',
  'invalid_auth',
  'missing_scope',
  'not_allowed_token_type',
  'not_authed',
  'team_disabled',
  'token_expired',
  'token_revoked',
  'user_removed_from_team',
])

function isRefusal(error: WebAPIPlatformError): boolean {
  return REFUSALS.has(error.data.error)
}
