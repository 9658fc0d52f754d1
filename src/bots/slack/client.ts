import { WebAPIPlatformError, WebClient } from '@slack/web-api'
import type { Logger } from '../../base/logger.ts'
import { ChatError } from '../../chat/error.ts'
import { toChatError } from './error.ts'
import { slackLogger } from './logger.ts'

export interface SlackClientOptions {
  readonly token: string
  /** The address of Slack's Web API, for proxies and tests. Default: Slack itself. */
  readonly apiUrl: string | undefined
  readonly timeoutMs: number
  readonly logger: Logger
}

/**
 * Makes one call with Slack's client. It never retries or waits for a rate limit, because the caller decides about both.
 * @throws ChatError
 */
export async function callSlack<T>(
  options: SlackClientOptions,
  signal: AbortSignal,
  call: (client: WebClient) => Promise<T>,
): Promise<T> {
  // The client accepts no signal per call, so each call has its own client, which holds no connection.
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
 * Makes a call for an optional permission. If the app lacks it, the error is `forbidden` and affects nothing else.
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
