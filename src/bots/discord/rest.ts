import { REST, type RESTOptions } from 'discord.js'
import { toChatError } from './error.ts'

export interface DiscordRestOptions {
  readonly token: string
  /** The address of Discord's API without the version, for proxies and tests. Default: Discord itself. */
  readonly apiUrl?: string | undefined
  /** The time limit of a call. Default: 10 s. */
  readonly timeoutMs?: number
  /** The client's own limit for all calls per second. Default: Discord's 50 (topics/rate-limits). */
  readonly requestsPerSecond?: number
  /** Waits at limits. Otherwise a call fails with `rate_limited`, and its caller decides. */
  readonly waitsForLimits?: boolean
}

/** Makes one REST call, which must use the passed signal. @throws ChatError */
export type CallDiscord = (signal: AbortSignal, call: (rest: REST, signal: AbortSignal) => Promise<unknown>) => Promise<unknown>

/** Makes calls with Discord's client. Unless told otherwise, it never retries or waits for a rate limit, because the caller decides about both. */
export function createDiscordCalls(options: DiscordRestOptions): CallDiscord {
  const rest = new REST({
    ...restOptions(options.apiUrl),
    timeout: options.timeoutMs ?? 10_000,
    retries: 0,
    globalRequestsPerSecond: options.requestsPerSecond ?? 50,
    offset: 0,
    rejectOnRateLimit: options.waitsForLimits === true ? null : () => true,
  })
  return async (signal, call) => {
    try {
      signal.throwIfAborted()
      // The client drops a token after one refusal, so it is set again. It also never removes its listeners from a signal, so
      // each call has its own.
      return await call(rest.setToken(options.token), AbortSignal.any([signal]))
    } catch (error) {
      throw toChatError(error, signal)
    }
  }
}

/**
 * Options for every client of Discord's REST interface. Requests use Node's own `fetch` for two reasons. Discord's client would
 * use the process-wide undici dispatcher, which may come from another version (Slack's client has its own). Requests with files
 * then fail (github.com/nodejs/undici/issues/5520). And `fetch` aborts at once even without a connection, so later requests to
 * that channel need not wait.
 */
export function restOptions(
  apiUrl: string | undefined,
): Pick<RESTOptions, 'version' | 'makeRequest'> & { readonly api?: string } {
  return {
    ...(apiUrl === undefined ? {} : { api: apiUrl.replace(/(?<!\/)\/+$/, '').replace(/\/v\d+$/, '') }),
    version: '10',
    makeRequest: (url, init) => fetch(url, { ...init, redirect: 'manual' }),
  }
}
