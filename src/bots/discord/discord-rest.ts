import { REST, type RESTOptions } from 'discord.js'
import { toChatError } from './discord-error.ts'

export interface DiscordRestOptions {
  /** The bot's token. */
  readonly token: string
  /** Where Discord's API is, for proxies and tests, without the version; Discord itself by default. */
  readonly apiUrl?: string | undefined
  /** One call; 10 s by default. */
  readonly timeoutMs?: number
  /** What all calls together may make in a second before they are held off; Discord's own 50 by default (topics/rate-limits). */
  readonly requestsPerSecond?: number
  /** Waits for limits by itself; else a call that meets one fails with `rate_limited`, so that the caller decides. */
  readonly waitsForLimits?: boolean
}

/** One call of Discord's REST interface, which is handed the signal that it is to take. @throws ChatError */
export type CallDiscord = (signal: AbortSignal, call: (rest: REST, signal: AbortSignal) => Promise<unknown>) => Promise<unknown>

/**
 * Makes calls with Discord's client, which retries nothing here and (unless told) waits for no rate limit, neither its own count nor a 429: whether and
 * when to try again is the caller's.
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
      // The client forgets a token that was refused once.
      // It never takes its listeners off a signal again either, so each call has one of its own.
      return await call(rest.setToken(options.token), AbortSignal.any([signal]))
    } catch (error) {
      throw toChatError(error, signal)
    }
  }
}

/**
 * What every client of Discord's REST interface is made with. Requests go by Node's own `fetch`: Discord's client would take the dispatcher that all
 * versions of undici in a process share, which belongs to whichever was loaded first, and where that is another one (Slack's client brings its own), every
 * request with a file fails (github.com/nodejs/undici/issues/5520). Besides, `fetch` ends at once when it is aborted, also before it has a
 * connection; else the requests of that channel would wait behind it.
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
