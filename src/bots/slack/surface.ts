import { App, type Receiver } from '@slack/bolt'
import { WebAPIPlatformError } from '@slack/web-api'
import { z } from 'zod'
import { settledWithin } from '../../base/done-within.ts'
import { ConfigurationError, errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { ChatError } from '../../chat/error.ts'
import type { ChatInbound } from '../../chat/event.ts'
import type { ChatSurface } from '../../chat/platform.ts'
import type { RecentQuestions } from '../../chat/recent-questions.ts'
import type { EventDeduplicator } from '../shared/event-deduplicator.ts'
import type { Tells } from '../shared/platform-entry.ts'
import { reconnectDelay } from '../shared/reconnect-delay.ts'
import { asEvent } from '../shared/watched-event.ts'
import { callSlack, type SlackClientOptions } from './client.ts'
import { delay } from './delay.ts'
import { SLACK_LIMITS } from './limits.ts'
import { slackLogger } from './logger.ts'
import { createSlackPersonSettings, type SlackPersonSettings } from './person-settings.ts'
import { isOfOwnWorkspace, type SlackIdentity, slackEvent, slackVisit } from './receive/event.ts'
import { SlackHttp, type SlackHttpOptions } from './receive/http.ts'
import { SlackInteractions } from './receive/interactions.ts'
import { createPrivateThreads } from './receive/private-threads.ts'
import { SlackSocket } from './receive/socket.ts'
import { showVisitor } from './receive/visits.ts'

/** How Slack's events arrive: over a connection that Clew opens, or as HTTP requests. */
export type SlackReceive =
  | {
      readonly over: 'socket'
      /** The app-level token, `xapp-…`, with the scope `connections:write`. */
      readonly appToken: string
    }
  | ({ readonly over: 'http' } & Pick<SlackHttpOptions, 'signingSecret' | 'serve'>)

interface SlackReceiver extends Receiver {
  connected(): boolean
  start(): Promise<void>
  stop(): Promise<void>
}

export interface SlackSurfaceOptions {
  /** The bot token, `xoxb-…`. */
  readonly botToken: string
  readonly receive: SlackReceive
  /** The address of Slack's Web API. Set it for a proxy or a test. Default: Slack's own address. */
  readonly apiUrl?: string | undefined
  readonly logger: Logger
  /** Makes sure that no question is handled twice, even if several processes receive it. */
  readonly once: EventDeduplicator
  readonly recentQuestions?: RecentQuestions | undefined
  readonly tells: Tells
  /** The operator's example questions. Absent: general questions are shown. */
  readonly examples?: readonly string[] | undefined
  /** The time limit for work that a person waits for. Default: 2.4 s. */
  readonly responseMs?: number
  /** Unix time in milliseconds. */
  readonly now?: () => number
  /** The time limit for Slack's answer to a ping (a pong). A connection without a pong is given up. Default: 5 s. */
  readonly pongTimeoutMs?: number
  /** The time limit for opening a connection. Default: 10 s. */
  readonly helloTimeoutMs?: number
  /** Returns the pause before an attempt to connect, in milliseconds. The first attempt has the number 0. */
  readonly backoffMs?: (attempt: number) => number
}

const identitySchema = z.object({
  team_id: z.string().min(1),
  user_id: z.string().min(1),
  bot_id: z.string().optional(),
  user: z.string().optional(),
  url: z.string().optional(),
})

/** Creates the part that receives from Slack, over Socket Mode or HTTP. It acknowledges an event once the event is accepted. */
export function createSlackSurface(options: SlackSurfaceOptions): ChatSurface {
  return new SlackSurface(options)
}

class SlackSurface implements ChatSurface {
  readonly name = 'slack'
  readonly #options: SlackSurfaceOptions
  readonly #stopping = new AbortController()
  #receiver: SlackReceiver | undefined
  #interactions: SlackInteractions | undefined

  constructor(options: SlackSurfaceOptions) {
    this.#options = options
  }

  async start(accept: (event: ChatInbound) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { botToken, receive } = this.#options
    if (botToken === '') throw botTokenError('it is empty')
    if (receive.over === 'socket' && receive.appToken === '') throw appTokenError('it is empty')
    const self = await this.#identify(signal)
    const receiver = this.#createReceiver()
    this.#receiver = receiver
    this.#listen(receiver, self, accept)
    const stop = () => void this.stop()
    signal.addEventListener('abort', stop, { once: true })
    try {
      await receiver.start()
    } catch (error) {
      if (error instanceof WebAPIPlatformError) throw appTokenError(`Slack says ${error.data.error}`, error)
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  connected(): boolean {
    return this.#receiver?.connected() ?? false
  }

  async stop(): Promise<void> {
    await this.#receiver?.stop()
    if (this.#interactions !== undefined) await settledWithin(SLACK_LIMITS.drainMs, this.#interactions.settled())
    this.#stopping.abort()
  }

  #createReceiver(): SlackReceiver {
    const {
      receive,
      apiUrl,
      logger,
      pongTimeoutMs = SLACK_LIMITS.pongMs,
      helloTimeoutMs = SLACK_LIMITS.helloMs,
      backoffMs = reconnectDelay,
    } = this.#options
    if (receive.over === 'http') return new SlackHttp({ ...receive, logger })
    return new SlackSocket({ appToken: receive.appToken, apiUrl, logger, pongTimeoutMs, helloTimeoutMs, backoffMs })
  }

  #listen(receiver: SlackReceiver, self: SlackIdentity, accept: (event: ChatInbound) => Promise<void>): void {
    const { botToken, apiUrl, logger } = this.#options
    const app = new App({
      receiver,
      logger: slackLogger(logger),
      // Clew serves one workspace with one token, which is already verified. So the token is not looked up for each event.
      authorize: async () => ({
        botToken,
        botUserId: self.user,
        teamId: self.team,
        ...(self.botId === undefined ? {} : { botId: self.botId }),
      }),
      clientOptions: { ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }), retryConfig: { retries: 0 } },
      convoStore: false,
      // Clew ignores the bot's own posts itself, so Bolt does not need to filter them.
      ignoreSelf: false,
    })
    app.use(({ body, next }) => asEvent('slack', body, next))
    app.use(async ({ body, next }) => {
      if (isOfOwnWorkspace(body, self)) return next()
      logger.warn({ type: body.type }, 'event from another slack workspace dropped')
    })
    const { responseMs = SLACK_LIMITS.responseMs } = this.#options
    const threads = createPrivateThreads({ ...this.#client(), timeoutMs: responseMs }, self)
    const receive = async ({ body }: { readonly body: unknown }) => {
      const event = slackEvent(body, self)
      if (event.kind !== 'unsupported') await accept(await threads.continued(event, body, this.#stopping.signal))
      else logger.debug({ reason: event.reason }, 'slack event is not answered')
    }
    app.event('message', receive)
    app.event('app_mention', receive)
    const personOf = createSlackPersonSettings({ client: this.#client(), now: this.#options.now ?? Date.now })
    this.#listenToVisits(app, self, personOf)
    this.#listenToInteractions(app, self, accept, personOf)
    // This passes an error of a listener on to the receiver, which then does not acknowledge the event.
    app.error(async error => {
      throw error
    })
  }

  #listenToVisits(app: App, self: SlackIdentity, personOf: SlackPersonSettings): void {
    const { recentQuestions, examples = [], responseMs = SLACK_LIMITS.responseMs } = this.#options
    // Calls for a visit must finish before the acknowledgement is due. If a call fails, the next visit shows the content.
    const client = { ...this.#client(), timeoutMs: responseMs }
    const visited = async ({ body }: { readonly body: unknown }) => {
      const visit = slackVisit(body)
      if (visit === undefined) return
      await showVisitor({ client, self, personOf, recentQuestions, examples }, visit, this.#stopping.signal)
    }
    app.event('app_home_opened', visited)
    app.event('assistant_thread_started', visited)
  }

  #listenToInteractions(
    app: App,
    self: SlackIdentity,
    accept: (event: ChatInbound) => Promise<void>,
    personOf: SlackPersonSettings,
  ): void {
    const { once, tells, backoffMs = reconnectDelay, now = Date.now, responseMs = SLACK_LIMITS.responseMs } = this.#options
    const { signal } = this.#stopping
    const interactions = new SlackInteractions({
      client: this.#client(),
      self,
      accept,
      personOf,
      once,
      tells,
      backoffMs,
      now,
      responseMs,
      signal,
    })
    this.#interactions = interactions
    const receive = async ({ body, ack }: { readonly body: unknown; ack(answer?: unknown): Promise<void> }) =>
      ack(await interactions.receive(body))
    app.action({ type: 'block_actions' }, receive)
    app.view({ type: 'view_submission' }, receive)
    app.shortcut({ type: 'message_action' }, receive)
    app.command(/^/, receive)
  }

  #client(): SlackClientOptions {
    const { botToken, apiUrl, logger, helloTimeoutMs = SLACK_LIMITS.helloMs } = this.#options
    return { token: botToken, apiUrl, logger, timeoutMs: helloTimeoutMs }
  }

  /**
   * Fetches the bot's identity. Waits while Slack cannot be reached or is busy.
   * @throws ConfigurationError if the token does not work
   */
  async #identify(signal: AbortSignal): Promise<SlackIdentity> {
    const { logger, backoffMs = reconnectDelay } = this.#options
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = identitySchema.safeParse(await callSlack(this.#client(), signal, slack => slack.auth.test()))
        if (!answer.success) throw new ConfigurationError("Slack's auth.test does not say who the bot is: check SLACK_API_URL.")
        const { team_id: team, user_id: user, bot_id: botId, user: name, url } = answer.data
        return { team, user, botId, name, url }
      } catch (error) {
        if (!(error instanceof ChatError) || error.kind === 'cancelled') throw error
        if (!error.retryable) throw botTokenError(error.message, error)
        logger.warn({ attempt, cause: errorMessage(error) }, 'slack is away; trying again')
        await delay(Math.max(backoffMs(attempt), error.retryAfterMs ?? 0), signal)
      }
    }
  }
}

function botTokenError(reason: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    `SLACK_BOT_TOKEN does not work (${reason}): set it to the Bot User OAuth Token of the installed app, which starts with xoxb-.`,
    { cause },
  )
}

function appTokenError(reason: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    `SLACK_APP_TOKEN does not work (${reason}): set it to an app-level token with the scope connections:write, which starts with xapp-.`,
    { cause },
  )
}
