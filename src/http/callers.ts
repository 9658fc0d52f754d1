import { parse, serialize } from 'hono/utils/cookie'
import { HTTP_LIMITS } from './limits.ts'
import { Problem } from './problem.ts'
import type { Sessions } from './sessions.ts'
import { decisionOf, type TokenRules } from './token-admission.ts'
import type { Token, Tokens } from './tokens.ts'
import type { Caller } from './turn-client.ts'

interface CallersDeps {
  readonly tokens: Pick<Tokens, 'verify'>
  readonly sessions: Pick<Sessions, 'find'>
  readonly rules: TokenRules
  /** The address of the console, as browsers know it. */
  readonly consoleUrl: string
}

/** Finds out who sends a request, and decides each time what the caller may read now. Methods throw Problem and StoreError. */
export class Callers {
  readonly #deps: CallersDeps

  constructor(deps: CallersDeps) {
    this.#deps = deps
  }

  /** Returns the caller with this bearer token. */
  async byBearer({ headers }: Request): Promise<Caller> {
    const [, bearer = ''] = /^Bearer +(\S+)$/i.exec(headers.get('Authorization') ?? '') ?? []
    const signal = AbortSignal.timeout(HTTP_LIMITS.requestMs)
    const token = await this.#deps.tokens.verify(bearer, signal)
    if (token === undefined) throw Problem.unauthorized()
    return this.#callerOf(token, signal)
  }

  /** Returns the caller whose browser has a session of the console. Undefined without a session that holds. */
  async bySession(request: Request): Promise<Caller | undefined> {
    const secret = this.secretOf(request)
    if (secret === undefined) return undefined
    this.checkOrigin(request)
    const signal = AbortSignal.timeout(HTTP_LIMITS.requestMs)
    const token = await this.#deps.sessions.find(secret, signal)
    return token && this.#callerOf(token, signal)
  }

  /** Refuses a request that the page of another site has sent, and one that changes something if such a page may have sent it. */
  checkOrigin({ method, headers }: Request): void {
    const site = headers.get('Sec-Fetch-Site')
    // A page on another port of this host is of the same site, so its requests bring the cookie along.
    const isForeign = site === 'same-site' || site === 'cross-site'
    if ((method === 'GET' || method === 'HEAD') && !isForeign) return
    const origin = headers.get('Origin')
    const hosts = [headers.get('Host'), new URL(this.#deps.consoleUrl).host]
    const isOwn =
      site === null ? origin !== null && URL.canParse(origin) && hosts.includes(new URL(origin).host) : site === 'same-origin'
    const isJson = method === 'DELETE' || /^application\/json\b/i.test(headers.get('Content-Type') ?? '')
    if (!isOwn || !isJson) throw new Problem(403, 'cross_site', 'Only the page of the console itself may send this, as JSON.')
  }

  /** Returns the secret of the session in the request's cookie. */
  secretOf({ headers }: Request): string | undefined {
    return parse(headers.get('Cookie') ?? '', this.#cookie)[this.#cookie]
  }

  /** Returns the header that gives a browser its session, or takes it away. */
  cookieOf(secret: string, lifeMs: number): string {
    const maxAge = Math.floor(lifeMs / 1000)
    return serialize(this.#cookie, secret, { path: '/', httpOnly: true, sameSite: 'Strict', secure: this.#isSecure, maxAge })
  }

  get #isSecure(): boolean {
    return this.#deps.consoleUrl.startsWith('https:')
  }

  /** A browser takes a name with this prefix from the host itself only, and over https only. */
  get #cookie(): string {
    return this.#isSecure ? '__Host-clew_session' : 'clew_session'
  }

  async #callerOf(token: Token, signal: AbortSignal): Promise<Caller> {
    const access = await decisionOf(token, this.#deps.rules, signal)
    if (access.kind === 'refused')
      throw token.person === undefined ? Problem.noRole(token.role) : Problem.personRefused(access.reason)
    return { token, access }
  }
}
