import { REST, type RESTOptions } from 'discord.js'
import { toChatError } from './error.ts'

export interface DiscordRestOptions {
  readonly token: string
  /** The address of Discord's API without the version. Set it for a proxy or a test. Default: Discord's own address. */
  readonly apiUrl?: string | undefined
  /** The time limit of a call. Default: 10 s. */
  readonly timeoutMs?: number
  /** Discord's client makes at most this many calls per second. Default: Discord's limit of 50 (topics/rate-limits). */
  readonly requestsPerSecond?: number
  /** Whether a call waits at a rate limit. If not, the call fails with `rate_limited`. */
  readonly waitsForLimits?: boolean
}

/**
 * Makes one REST call. `call` must use the signal that it gets.
 * @throws ChatError
 */
export type CallDiscord = (signal: AbortSignal, call: (rest: REST, signal: AbortSignal) => Promise<unknown>) => Promise<unknown>

/**
 * Returns a function that makes calls with Discord's client. By default, a call never retries and never waits for a rate limit.
 * The caller decides about both.
 */
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
      // Discord's client forgets its token after one refusal, so each call sets the token again. The client also leaves its
      // listeners on a signal, so each call gets a signal of its own.
      return await call(rest.setToken(options.token), AbortSignal.any([signal]))
    } catch (error) {
      throw toChatError(error, signal)
    }
  }
}

/**
 * The options for every client of Discord's REST interface. Requests use Node's own `fetch`, for two reasons. First, Discord's
 * client would use the undici dispatcher of the whole process. Slack's client brings another version of undici, and then requests
 * with files fail (github.com/nodejs/undici/issues/5520). Second, `fetch` aborts at once even without a connection, so later
 * requests to the same channel need not wait.
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
