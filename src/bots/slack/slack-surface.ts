import { App, type Receiver } from '@slack/bolt'
import { WebAPIPlatformError } from '@slack/web-api'
import { z } from 'zod'
import { ConfigurationError, errorMessage } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { ChatError } from '../chat-error.ts'
import type { ChatInbound } from '../chat-event.ts'
import type { ChatSurface } from '../chat-platform.ts'
import type { Once } from '../once.ts'
import type { RecentQuestions } from '../recent-questions.ts'
import { callSlack, type SlackClientOptions } from './slack-client.ts'
import { isOfOwnWorkspace, type SlackIdentity, slackEvent, slackVisit } from './slack-event.ts'
import { SlackHttp, type SlackHttpOptions } from './slack-http.ts'
import { SlackInteractions } from './slack-interactions.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import { slackLogger } from './slack-logger.ts'
import { createSlackPersons, type SlackPersons } from './slack-persons.ts'
import { createPrivateThreads } from './slack-private-threads.ts'
import { SlackSocket } from './slack-socket.ts'
import { showVisitor } from './slack-visits.ts'
import { delay, settledWithin } from './slack-wait.ts'

/** How events come: over a connection to Slack, or as Slack's requests to us. */
export type SlackReceive =
  | {
      readonly over: 'socket'
      /** `xapp-…`, with the scope `connections:write` */
      readonly appToken: string
    }
  | ({ readonly over: 'http' } & Pick<SlackHttpOptions, 'signingSecret' | 'serve'>)

interface SlackReceiver extends Receiver {
  connected(): boolean
  start(): Promise<void>
  stop(): Promise<void>
}

export interface SlackSurfaceOptions {
  /** `xoxb-…` */
  readonly botToken: string
  readonly receive: SlackReceive
  /** Where Slack's Web API is, for proxies and tests; Slack itself by default. */
  readonly apiUrl?: string | undefined
  readonly logger: Logger
  /** Shared by all processes that Slack's requests may come to. */
  readonly once: Once
  /** For the home tab. */
  readonly recentQuestions?: RecentQuestions | undefined
  /** Questions of the operator's that people may begin with; some general ones by default. */
  readonly examples?: readonly string[] | undefined
  /** How long something may take that somebody waits for before Slack calls it failed; 2.4 s by default. */
  readonly responseMs?: number
  /** Unix time in milliseconds. */
  readonly now?: () => number
  /** How long a pong may take before a connection counts as dead; 5 s by default. */
  readonly pongTimeoutMs?: number
  /** How long the start of a connection may take; 10 s by default. */
  readonly helloTimeoutMs?: number
  /** The wait before the n-th attempt in a row to connect (0 for the first). */
  readonly backoffMs?: (attempt: number) => number
}

const identitySchema = z.object({
  team_id: z.string().min(1),
  user_id: z.string().min(1),
  bot_id: z.string().optional(),
  user: z.string().optional(),
  url: z.string().optional(),
})

/** What was acknowledged early is finished when stopping, for so long. */
const DRAIN_MS = 3_000

/** Slack's incoming half, over Socket Mode or HTTP: an event is acknowledged once it is accepted. */
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
    if (this.#interactions !== undefined) await settledWithin(DRAIN_MS, this.#interactions.settled())
    this.#stopping.abort()
  }

  #createReceiver(): SlackReceiver {
    const { receive, apiUrl, logger, pongTimeoutMs = 5_000, helloTimeoutMs = 10_000, backoffMs = backoff } = this.#options
    if (receive.over === 'http') return new SlackHttp({ ...receive, logger })
    return new SlackSocket({ appToken: receive.appToken, apiUrl, logger, pongTimeoutMs, helloTimeoutMs, backoffMs })
  }

  #listen(receiver: SlackReceiver, self: SlackIdentity, accept: (event: ChatInbound) => Promise<void>): void {
    const { botToken, apiUrl, logger } = this.#options
    const app = new App({
      receiver,
      logger: slackLogger(logger),
      // One workspace, one token, known to work: nothing is left to look up when an event comes.
      authorize: async () => ({
        botToken,
        botUserId: self.user,
        teamId: self.team,
        ...(self.botId === undefined ? {} : { botId: self.botId }),
      }),
      clientOptions: { ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }), retryConfig: { retries: 0 } },
      convoStore: false,
      // The bot's own posts are told apart with everything else that is not answered.
      ignoreSelf: false,
    })
    app.use(async ({ body, next }) => {
      if (isOfOwnWorkspace(body, self)) return next()
      logger.warn({ type: body.type }, 'what came from another workspace of slack was dropped')
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
    const personOf = createSlackPersons({ client: this.#client(), now: this.#options.now ?? Date.now })
    this.#listenToVisits(app, self, personOf)
    this.#listenToInteractions(app, self, accept, personOf)
    // What a listener throws must reach the receiver, which then does not acknowledge.
    app.error(async error => {
      throw error
    })
  }

  #listenToVisits(app: App, self: SlackIdentity, personOf: SlackPersons): void {
    const { recentQuestions, examples = [], responseMs = SLACK_LIMITS.responseMs } = this.#options
    // In time for the acknowledgement: what could not be shown is shown at the next visit.
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
    personOf: SlackPersons,
  ): void {
    const { once, backoffMs = backoff, now = Date.now, responseMs = SLACK_LIMITS.responseMs } = this.#options
    const { signal } = this.#stopping
    const interactions = new SlackInteractions({
      client: this.#client(),
      self,
      accept,
      personOf,
      once,
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
    const { botToken, apiUrl, logger, helloTimeoutMs = 10_000 } = this.#options
    return { token: botToken, apiUrl, logger, timeoutMs: helloTimeoutMs }
  }

  /** Who the bot is. Waits for a Slack that is away or busy. @throws ConfigurationError when the token does not work */
  async #identify(signal: AbortSignal): Promise<SlackIdentity> {
    const { logger, backoffMs = backoff } = this.#options
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

/** At once for the first, then 1, 2, 4, … seconds, five minutes at most, each with up to a quarter more so that many do not come at once. */
function backoff(attempt: number): number {
  const base = attempt === 0 ? 0 : Math.min(1_000 * 2 ** (attempt - 1), 300_000)
  return base + Math.random() * Math.max(250, base / 4)
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
