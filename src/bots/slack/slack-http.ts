import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type App, HTTPReceiver, type Receiver } from '@slack/bolt'
import { errorMessage } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { slackLogger } from './slack-logger.ts'
import { settledWithin } from './slack-wait.ts'

/** Where Slack is told to send events: the path of the app's Request URLs. */
export const SLACK_EVENTS_PATH = '/slack/events'

export interface SlackHttpOptions {
  readonly signingSecret: string
  /** Serves a path of a server that is already listening; it is this process's way to be reached. */
  readonly serve: (path: string, listener: RequestListener) => void
  readonly logger: Logger
}

/** What was accepted while stopping is still acknowledged, for so long. */
const DRAIN_MS = 3_000

/**
 * Bolt's receiver for HTTP on a server of ours. Bolt checks the signature and its age (401) and answers `url_verification`; a request is
 * acknowledged when the listeners have returned. When one throws the answer is 500, so that Slack sends the event again.
 */
export class SlackHttp implements Receiver {
  readonly #options: SlackHttpOptions
  readonly #receiver: HTTPReceiver
  readonly #inFlight = new Set<Promise<unknown>>()
  #state: 'new' | 'serving' | 'stopped' = 'new'

  constructor(options: SlackHttpOptions) {
    this.#options = options
    this.#receiver = new HTTPReceiver({
      signingSecret: options.signingSecret,
      endpoints: SLACK_EVENTS_PATH,
      processBeforeResponse: true,
      logger: slackLogger(options.logger),
      processEventErrorHandler: async ({ error, response }) => {
        options.logger.error({ cause: errorMessage(error) }, 'a slack event was not accepted; slack sends it again')
        if (!response.headersSent) response.writeHead(500).end()
        // Answered: bolt has nothing to wait for any more.
        return true
      },
    })
  }

  init(app: App): void {
    this.#receiver.init(app)
  }

  /** Whether requests are taken. Whether Slack reaches this process is not known here. */
  connected(): boolean {
    return this.#state === 'serving'
  }

  async start(): Promise<void> {
    if (this.#state !== 'new') return
    this.#state = 'serving'
    this.#options.serve(SLACK_EVENTS_PATH, (request, response) => this.#receive(request, response))
    this.#options.logger.info({ path: SLACK_EVENTS_PATH }, "slack's events are taken over HTTP")
  }

  async stop(): Promise<void> {
    this.#state = 'stopped'
    await settledWithin(DRAIN_MS, Promise.allSettled(this.#inFlight))
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    if (this.#state === 'stopped') {
      // Whatever is not acknowledged comes again, to this process's successor.
      response.writeHead(503).end()
      return
    }
    if (request.method !== 'POST') {
      response.writeHead(405, { allow: 'POST' }).end()
      return
    }
    const answered = once(response, 'close').finally(() => this.#inFlight.delete(answered))
    this.#inFlight.add(answered)
    this.#receiver.requestListener(request, response)
  }
}
