import { createHmac, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { EmulatorClock } from './emulator-clock.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import type { Delivery, DeliveryAttempt, EnvelopeType } from './socket-mode.ts'

/** The fault in a request that Slack did not send, or sent long ago. */
export type Forgery = 'wrong secret' | 'old timestamp' | 'changed body' | 'unknown version' | 'no signature' | 'no timestamp'

/** The reason why Slack repeats a request. Slack documents it at docs.slack.dev/apis/events-api, "Error handling". */
type RetryReason = 'http_timeout' | 'connection_failed' | 'http_error'

const responseSchema = z.record(z.string(), z.unknown())
const challengeSchema = z.object({ challenge: z.string() })

/**
 * Sends Slack's requests to an app's Request URL, signed as docs.slack.dev/authentication/verifying-requests-from-slack says. The app has 3 s to
 * answer with 200. A failed event is repeated, with the number and the reason of the repetition.
 */
export class HttpEvents {
  readonly signingSecret = '8f742231b10e8888abcd99eee22285a5'
  readonly deliveries: Delivery[] = []
  readonly #clock: EmulatorClock
  readonly #onChange: () => void
  readonly #onResponse: (delivery: Delivery) => void
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #url: string | undefined

  constructor(options: { clock: EmulatorClock; onChange: () => void; onResponse: (delivery: Delivery) => void }) {
    this.#clock = options.clock
    this.#onChange = options.onChange
    this.#onResponse = options.onResponse
  }

  /** Whether a Request URL is set. If so, all events go there, and none over Socket Mode. */
  isOn(): boolean {
    return this.#url !== undefined
  }

  /** Sets the address that gets the app's events (Request URL), without checking it first. */
  sendTo(url: string): void {
    this.#url = url
  }

  /** Checks the Request URL as Slack does: it must answer with the challenge, as text or JSON. */
  async verifyUrl(): Promise<boolean> {
    const challenge = randomUUID()
    const body = JSON.stringify({ token: 'emulated-verification-token', challenge, type: 'url_verification' })
    const answer = await this.#post(body, 'application/json', {})
    const text = await answer.text()
    return answer.status === 200 && (text === challenge || challengeSchema.parse(JSON.parse(text)).challenge === challenge)
  }

  /** Sends a single request to the app, either forged or as Slack would send it. @returns the status of the app's answer */
  async send(body: string, forgery?: Forgery, contentType = 'application/json'): Promise<number> {
    const answer = await this.#post(body, contentType, {}, forgery)
    await answer.text()
    return answer.status
  }

  deliver(type: EnvelopeType, payload: Delivery['payload']): Delivery {
    const delivery: Delivery = { type, payload, attempts: [], state: 'pending', response: undefined }
    this.deliveries.push(delivery)
    this.#attempt(delivery, 0, undefined)
    return delivery
  }

  /** Repeats all unacknowledged deliveries now. */
  redeliver(): void {
    for (const delivery of this.deliveries.filter(({ state }) => state === 'pending')) {
      this.#attempt(delivery, delivery.attempts.length, 'http_timeout')
    }
  }

  /** Aborts requests that are in progress. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#running)
  }

  #attempt(delivery: Delivery, retry: number, reason: RetryReason | undefined): void {
    const attempt: DeliveryAttempt = {
      envelopeId: randomUUID(),
      retry,
      connection: undefined,
      sentAt: this.#clock.elapsed(),
      ackMs: undefined,
    }
    delivery.attempts.push(attempt)
    this.#onChange()
    const running = this.#request(delivery, attempt, reason).finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async #request(delivery: Delivery, attempt: DeliveryAttempt, reason: RetryReason | undefined): Promise<void> {
    const late = new AbortController()
    const deadline = this.#clock.schedule(SLACK_LIMITS.acknowledgementMs, () => late.abort())
    const headers: Record<string, string> = reason
      ? { 'x-slack-retry-num': String(attempt.retry), 'x-slack-retry-reason': reason }
      : {}
    const { body, contentType } = encode(delivery)
    try {
      const answer = await this.#post(body, contentType, headers, undefined, late.signal)
      attempt.status = answer.status
      const text = await answer.text()
      if (answer.status !== 200) {
        this.#retryLater(delivery, attempt.retry, 'http_error', answer.headers.get('x-slack-no-retry') === '1')
        return
      }
      attempt.ackMs = this.#clock.elapsed() - attempt.sentAt
      delivery.state = 'acknowledged'
      delivery.response = responseOf(text, answer.headers.get('content-type') ?? '')
      this.#onResponse(delivery)
    } catch {
      this.#retryLater(delivery, attempt.retry, late.signal.aborted ? 'http_timeout' : 'connection_failed', false)
    } finally {
      deadline.cancel()
      this.#onChange()
    }
  }

  #retryLater(delivery: Delivery, failedRetry: number, reason: RetryReason, refusesRetries: boolean): void {
    if (this.#closing.signal.aborted || delivery.state !== 'pending') return
    const delay = SLACK_LIMITS.retryDelaysMs[failedRetry]
    // Slack never repeats commands and interactions. The person sees that the app did not respond.
    if (delivery.type !== 'events_api' || delay === undefined || refusesRetries) {
      delivery.state = 'given_up'
      return
    }
    const again = () => {
      if (delivery.state === 'pending') this.#attempt(delivery, failedRetry + 1, reason)
    }
    if (delay === 0) again()
    else this.#clock.schedule(delay, again)
  }

  #post(
    body: string,
    contentType: string,
    headers: Record<string, string>,
    forgery?: Forgery,
    signal?: AbortSignal,
  ): Promise<Response> {
    if (this.#url === undefined) throw new Error('The app has no Request URL: call sendTo')
    // The app compares the time in a request with its own real clock, so this time comes from the real clock too.
    const age = forgery === 'old timestamp' ? 301 : 0
    const timestamp = String(Math.floor(Date.now() / 1_000) - age)
    const secret = forgery === 'wrong secret' ? 'somebody-elses-secret' : this.signingSecret
    const signature = slackSignature(secret, timestamp, forgery === 'changed body' ? `${body} ` : body)
    return fetch(this.#url, {
      method: 'POST',
      body,
      headers: {
        'content-type': contentType,
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        ...headers,
        ...(forgery === 'no timestamp' ? {} : { 'x-slack-request-timestamp': timestamp }),
        ...(forgery === 'no signature'
          ? {}
          : { 'x-slack-signature': forgery === 'unknown version' ? signature.replace('v0=', 'v1=') : signature }),
      },
      signal: AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])]),
    })
  }
}

/** HMAC-SHA256 over version, Unix time in seconds and raw body, as docs.slack.dev/authentication/verifying-requests-from-slack says. */
export function slackSignature(secret: string, timestamp: string, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
}

/** Encodes a request: an event as JSON, a command as a form, and an interaction as JSON in the form field `payload`. */
function encode({ type, payload }: Delivery): { readonly body: string; readonly contentType: string } {
  if (type === 'events_api') return { body: JSON.stringify(payload), contentType: 'application/json' }
  const fields =
    type === 'interactive'
      ? { payload: JSON.stringify(payload) }
      : Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, String(value)]))
  return { body: new URLSearchParams(fields).toString(), contentType: 'application/x-www-form-urlencoded' }
}

function responseOf(text: string, contentType: string): Delivery['response'] {
  if (text === '') return undefined
  return contentType.startsWith('application/json') ? responseSchema.parse(JSON.parse(text)) : { text }
}
