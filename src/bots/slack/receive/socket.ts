import type { App, Receiver } from '@slack/bolt'
import { SocketModeClient } from '@slack/socket-mode'
import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api'
import { z } from 'zod'
import { settledWithin } from '../../../base/done-within.ts'
import { errorMessage } from '../../../base/errors.ts'
import type { Logger } from '../../../base/logger.ts'
import { KeyedSequence } from '../../../queue/keyed-sequence.ts'
import { delay } from '../delay.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { slackLogger } from '../logger.ts'
import { senderOf } from './sender.ts'

export interface SlackSocketOptions {
  /** The app-level token, `xapp-…`. */
  readonly appToken: string
  readonly apiUrl: string | undefined
  readonly logger: Logger
  /** The time limits for Slack's answer to a ping, and for the first message of a connection. */
  readonly pongTimeoutMs: number
  readonly helloTimeoutMs: number
  /** Returns the pause before an attempt to connect, in milliseconds. The first attempt has the number 0. */
  readonly backoffMs: (attempt: number) => number
}

const envelopeSchema = z.object({
  type: z.string(),
  body: z.record(z.string(), z.unknown()),
  ack: z.custom<(response?: unknown) => Promise<void>>(value => typeof value === 'function'),
  retry_num: z.number().optional(),
  retry_reason: z.string().optional(),
})
type Envelope = z.infer<typeof envelopeSchema>

/**
 * One connection to Slack, which ignores unreadable messages. The base class would throw an error for each of them, and the error
 * would end the process.
 */
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
 * A receiver for Bolt that uses Socket Mode. It replaces Bolt's own receiver for two reasons. First, Bolt acknowledges an event
 * before its listeners run. This receiver waits for all listeners. If one throws, it acknowledges nothing, so that Slack sends
 * the event again. Second, when the SDK reconnects, a missing network or a revoked token ends the process. This receiver
 * reconnects with a new client each time. It does so at once after a stable connection, and after growing pauses otherwise.
 */
export class SlackSocket implements Receiver {
  readonly #options: SlackSocketOptions
  readonly #stopping = new AbortController()
  readonly #inFlight = new Set<Promise<void>>()
  readonly #turns = new KeyedSequence(SLACK_LIMITS.eventsOfOne)
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

  /**
   * Resolves when the first connection is open, however long that takes.
   * @throws the error with which Slack refuses the first connection
   */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#keeping = this.#keepConnected(resolve, reject)
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await settledWithin(SLACK_LIMITS.drainMs, Promise.allSettled(this.#inFlight))
    // If a connection attempt is aborted, the SDK leaks a timer of 30 s. So the attempt may finish, and the connection is closed
    // afterwards.
    if (!this.#connected) await settledWithin(SLACK_LIMITS.closeMs, this.#keeping)
    if (this.#connection !== undefined) await settledWithin(SLACK_LIMITS.closeMs, this.#connection.disconnect())
    this.#connected = false
    await settledWithin(SLACK_LIMITS.closeMs, this.#keeping)
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
        if (performance.now() - since >= SLACK_LIMITS.stableMs) attempt = 0
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

  /** Connects. Resolves after Slack's hello. The returned `ended` resolves when the connection is gone. */
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
      // The time limit is doubled, because the request for the connection's address may also take `helloTimeoutMs`.
    }, 2 * helloTimeoutMs)
    try {
      await connection.start()
    } finally {
      clearTimeout(isSilent)
    }
    // `stop` may have run before the address arrived. It then found no connection to close, so the connection is closed here.
    if (this.#stopping.signal.aborted) await settledWithin(SLACK_LIMITS.closeMs, connection.disconnect())
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
    // This process is stopping. Slack sends an unacknowledged event again, and the next process gets it.
    if (this.#stopping.signal.aborted) return
    const envelope = envelopeSchema.safeParse(payload)
    if (!envelope.success) {
      this.#options.logger.warn({ cause: envelope.error.message }, 'slack sent an envelope that cannot be read')
      return
    }
    const handled = this.#turns
      .run(senderOf(envelope.data.body), () => this.#handle(envelope.data))
      .finally(() => this.#inFlight.delete(handled))
    this.#inFlight.add(handled)
  }

  async #handle({ type, body, ack, retry_num, retry_reason }: Envelope): Promise<void> {
    const isEvent = type === 'events_api'
    try {
      await this.#app?.processEvent({
        body,
        // This class acknowledges events. Listeners acknowledge commands and buttons themselves, with their answer.
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

/** With these errors, `apps.connections.open` refuses the token permanently. */
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
