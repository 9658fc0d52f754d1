import { WebAPIPlatformError, WebClient } from '@slack/web-api'
import type { Logger } from '../../base/logger.ts'
import { ChatError } from '../../chat/error.ts'
import { toChatError } from './error.ts'
import { slackLogger } from './logger.ts'

export interface SlackClientOptions {
  readonly token: string
  /** The address of Slack's Web API. Set it for a proxy or a test. Default: Slack's own address. */
  readonly apiUrl: string | undefined
  readonly timeoutMs: number
  readonly logger: Logger
}

/**
 * Makes one call with Slack's client. Never retries and never waits for a rate limit. The caller decides about both.
 * @throws ChatError
 */
export async function callSlack<T>(
  options: SlackClientOptions,
  signal: AbortSignal,
  call: (client: WebClient) => Promise<T>,
): Promise<T> {
  // Slack's client accepts no signal for a single call, so each call gets a client of its own. That is cheap, because a client
  // holds no connection.
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
 * Makes a call that needs an optional permission. Without the permission, the error is `forbidden` instead of `authentication`,
 * which would stop all other calls too.
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
