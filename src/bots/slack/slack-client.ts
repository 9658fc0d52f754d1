import { WebClient } from '@slack/web-api'
import type { Logger } from '../../logger.ts'
import { toChatError } from './slack-error.ts'
import { slackLogger } from './slack-logger.ts'

export interface SlackClientOptions {
  readonly token: string
  /** Where Slack's Web API is, for proxies and tests; Slack itself by default. */
  readonly apiUrl: string | undefined
  readonly timeoutMs: number
  readonly logger: Logger
}

/**
 * Makes one call with Slack's client, which retries nothing here and waits for no rate limit: whether and when to try again is the caller's.
 * @throws ChatError
 */
export async function callSlack<T>(
  options: SlackClientOptions,
  signal: AbortSignal,
  call: (client: WebClient) => Promise<T>,
): Promise<T> {
  // The client takes no signal for a call, so a call has a client of its own: it holds no connection.
  const client = new WebClient(options.token, {
    ...(options.apiUrl === undefined ? {} : { slackApiUrl: options.apiUrl }),
    timeout: options.timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: slackLogger(options.logger),
    fetch: (url, init) => fetch(url, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal }),
  })
  try {
    signal.throwIfAborted()
    return await call(client)
  } catch (error) {
    throw toChatError(error, signal)
  }
}
