import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type App, isValidSlackRequest, type Receiver } from '@slack/bolt'
import { z } from 'zod'
import { doneWithin, settledWithin } from '../../../base/done-within.ts'
import { errorMessage } from '../../../base/errors.ts'
import type { Logger } from '../../../base/logger.ts'
import { KeyedSequence } from '../../../queue/keyed-sequence.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { senderOf } from './sender.ts'
import { BodyRefusedError, UnverifiedBodies } from './unverified-bodies.ts'

/** The path to which Slack sends events over HTTP. The app's Request URLs in Slack end with it. */
export const SLACK_EVENTS_PATH = '/slack/events'

export interface SlackHttpOptions {
  readonly signingSecret: string
  /** Adds a path to a server that is already listening. */
  readonly serve: (path: string, listener: RequestListener) => void
  readonly logger: Logger
}

const FORM = 'application/x-www-form-urlencoded'

/** The headers of a signed request. Source: https://docs.slack.dev/authentication/verifying-requests-from-slack. */
const signedSchema = z.object({
  'x-slack-signature': z.string().regex(/^v0=[0-9a-f]{64}$/),
  'x-slack-request-timestamp': z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
})

const payloadSchema = z.record(z.string(), z.unknown())

interface HttpAnswer {
  readonly status: number
  /** The response's body. A string is sent as plain text, and any other value as JSON. */
  readonly content?: unknown
}

/**
 * A receiver for Bolt that takes HTTP requests on our own server. Bolt's own receiver reads up to 4 MB before it checks the
 * signature, and crashes at a signed body of `null`. This receiver acknowledges a request after all listeners have returned. If a
 * listener throws, the response is 500, so that Slack sends the event again.
 */
export class SlackHttp implements Receiver {
  readonly #options: SlackHttpOptions
  readonly #bodies = new UnverifiedBodies()
  readonly #turns = new KeyedSequence(SLACK_LIMITS.eventsOfOne)
  readonly #inFlight = new Set<Promise<unknown>>()
  #app: App | undefined
  #state: 'new' | 'serving' | 'stopped' = 'new'

  constructor(options: SlackHttpOptions) {
    this.#options = options
  }

  init(app: App): void {
    this.#app = app
  }

  /** Whether the receiver accepts requests. It cannot know whether Slack's requests arrive. */
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
    await settledWithin(SLACK_LIMITS.drainMs, Promise.allSettled(this.#inFlight))
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    if (this.#state === 'stopped') {
      // The server is stopping. Slack sends an unacknowledged event again, and the next process gets it.
      response.writeHead(503).end()
      return
    }
    if (request.method !== 'POST') {
      response.writeHead(405, { allow: 'POST' }).end()
      return
    }
    const closed = once(response, 'close').finally(() => this.#inFlight.delete(closed))
    this.#inFlight.add(closed)
    this.#answer(request)
      .catch((error: unknown) => this.#failed(error))
      .then(answer => send(response, answer))
      // If sending fails, the client has gone, so there is nobody to answer.
      .catch(() => response.destroy())
  }

  async #answer(request: IncomingMessage): Promise<HttpAnswer> {
    const signed = signedSchema.safeParse(request.headers)
    if (!signed.success || isOld(signed.data['x-slack-request-timestamp'])) return this.#answerUnsigned(request)
    const body = (await this.#bodies.read(request, SLACK_LIMITS.bodyBytes)).toString()
    const { signingSecret, logger } = this.#options
    if (!isValidSlackRequest({ signingSecret, body, headers: signed.data })) return this.#refuse()
    const payload = readPayload(body, request.headers['content-type'])
    if (payload === undefined) {
      logger.warn('slack signed a body that cannot be read')
      return { status: 400 }
    }
    if (payload.type === 'url_verification') return { status: 200, content: { challenge: payload.challenge } }
    return this.#process(payload, request)
  }

  /**
   * Answers an unsigned request. Slack tests the connection with such requests (`ssl_check`), which get 200 and have no effect.
   * All others are refused.
   */
  async #answerUnsigned(request: IncomingMessage): Promise<HttpAnswer> {
    if (request.headers['content-type'] !== FORM) return this.#refuse()
    const body = await this.#bodies.read(request, SLACK_LIMITS.unsignedBytes)
    return new URLSearchParams(body.toString()).get('ssl_check') === '1' ? { status: 200 } : this.#refuse()
  }

  #refuse(): HttpAnswer {
    const reason = 'a request was refused: its signature is missing, too old or not that of SLACK_SIGNING_SECRET'
    this.#options.logger.warn(reason)
    return { status: 401 }
  }

  async #process(body: Readonly<Record<string, unknown>>, { headers }: IncomingMessage): Promise<HttpAnswer> {
    let acknowledged: HttpAnswer = { status: 404 }
    const retry = Number(headers['x-slack-retry-num'])
    const work = this.#turns.run(senderOf(body), async () =>
      this.#app?.processEvent({
        body,
        ack: async content => {
          acknowledged = { status: 200, content }
        },
        ...(Number.isInteger(retry) ? { retryNum: retry } : {}),
      }),
    )
    // Slack waits only this long for an acknowledgement. After that, it sends the event again.
    return (await doneWithin(SLACK_LIMITS.acknowledgeMs, work)) ? acknowledged : { status: 503 }
  }

  #failed(error: unknown): HttpAnswer {
    const { logger } = this.#options
    if (error instanceof BodyRefusedError) {
      logger.warn({ status: error.status }, 'slack request body refused')
      return { status: error.status }
    }
    logger.error({ cause: errorMessage(error) }, 'a slack event was not accepted; slack sends it again')
    return { status: 500 }
  }
}

function isOld(timestamp: number): boolean {
  return Math.abs(Date.now() / 1_000 - timestamp) > SLACK_LIMITS.signatureAgeS
}

/**
 * Parses a body. Events are JSON, commands are forms, and interactions are JSON in a form's `payload` field. Undefined for any
 * other body.
 */
function readPayload(body: string, contentType: string | undefined): Readonly<Record<string, unknown>> | undefined {
  const fields = contentType === FORM ? new URLSearchParams(body) : undefined
  const text = fields === undefined ? body : fields.get('payload')
  if (fields !== undefined && text === null) return Object.fromEntries(fields)
  try {
    return payloadSchema.safeParse(JSON.parse(text ?? '')).data
  } catch {
    return undefined
  }
}

/** Sends a response. If the body has not arrived completely, closes the connection, so that the client stops sending. */
function send(response: ServerResponse, { status, content }: HttpAnswer): void {
  if (!response.req.complete) response.setHeader('connection', 'close')
  if (typeof content === 'string' || content === undefined) response.writeHead(status).end(content)
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
}
