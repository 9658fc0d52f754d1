import { WebAPIPlatformError, WebClient } from '@slack/web-api'
import type { Logger } from '../../logger.ts'
import { ChatError } from '../chat-error.ts'
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

/**
 * The same for what an app may have been installed without: a missing permission is `forbidden` here, and stops nothing else.
 * @throws ChatError
 */
export async function callOptional<T>(
  options: SlackClientOptions,
  signal: AbortSignal,
  call: (client: WebClient) => Promise<T>,
): Promise<T> {
  return callSlack(options, signal, call).catch((error: unknown) => {
    if (!(error instanceof ChatError) || !lacksPermission(error.cause)) throw error
    throw new ChatError(error.message, { kind: 'forbidden', cause: error.cause })
  })
}

function lacksPermission(cause: unknown): boolean {
  return cause instanceof WebAPIPlatformError && cause.data.error === 'missing_scope'
}
