import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiContext, ApiMethod, ApiMethods } from './api-method.ts'
import { ApiRefusal } from './api-refusal.ts'
import type { FaultInjection } from './fault-injection.ts'
import type { JsonObject } from './message-payload.ts'
import { RateLimiter } from './rate-limiter.ts'
import { parseArguments, readBody } from './request-body.ts'
import { SLACK_LIMITS } from './slack-limits.ts'

/** One call of the Web API and its outcome. */
export interface ApiCall {
  readonly method: string
  readonly args: JsonObject
  /** The time of the call, in milliseconds since the emulator started. */
  readonly at: number
  /** `ok`, Slack's error code, or `http_<status>`. `pending` means not answered yet. `lost` means that the answer was not sent. */
  outcome: string
}

/** The error code for a token that no longer works. */
export type TokenFailure = 'invalid_auth' | 'token_revoked' | 'account_inactive' | 'token_expired'

export interface Credentials {
  readonly botToken: string
  readonly appToken: string
  readonly botScopes: readonly string[]
}

/** Handles HTTP requests to the Web API: checks arguments, tokens, scopes and rate limits, causes planned faults, and logs each call. */
export class WebApi {
  readonly calls: ApiCall[] = []
  readonly #methods: ApiMethods
  readonly #context: ApiContext
  readonly #credentials: Credentials
  readonly #faults: FaultInjection
  readonly #limiter: RateLimiter
  readonly #onChange: () => void
  readonly #tokenFailures = new Map<ApiMethod['token'], TokenFailure>()
  #enforceRates: boolean

  constructor(options: {
    methods: ApiMethods
    context: ApiContext
    credentials: Credentials
    faults: FaultInjection
    enforceRates: boolean
    onChange: () => void
  }) {
    this.#methods = options.methods
    this.#context = options.context
    this.#credentials = options.credentials
    this.#faults = options.faults
    this.#limiter = new RateLimiter(options.context.clock)
    this.#enforceRates = options.enforceRates
    this.#onChange = options.onChange
  }

  /** From now on, answers every call with this token with this error. Undefined makes the token valid again. */
  failToken(token: ApiMethod['token'], failure: TokenFailure | undefined): void {
    if (failure === undefined) this.#tokenFailures.delete(token)
    else this.#tokenFailures.set(token, failure)
  }

  enforceRates(enforce: boolean): void {
    this.#enforceRates = enforce
  }

  async handle(method: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const call: ApiCall = { method, args: readArguments(request, body), at: this.#context.clock.elapsed(), outcome: 'pending' }
    this.calls.push(call)
    this.#onChange()
    const fault = this.#faults.next(method, call.args)
    if (fault?.kind === 'stored_late') response.destroy()
    await this.#faults.pause(fault)
    if (fault?.kind === 'http_error') {
      this.#finish(call, `http_${fault.status}`)
      response.writeHead(fault.status).end('upstream error')
      return
    }
    if (fault?.kind === 'rate_limited') {
      this.#rateLimited(call, response, fault.retryAfterSeconds)
      return
    }
    const answer = this.#answer(call, request, body, fault?.kind === 'refused' ? fault.error : undefined)
    if (answer.kind === 'rate_limited') {
      this.#rateLimited(call, response, answer.retryAfterSeconds)
      return
    }
    if (fault?.kind === 'lost_answer' || fault?.kind === 'stored_late') {
      this.#finish(call, 'lost')
      response.destroy()
      return
    }
    this.#finish(call, String(answer.body.error ?? 'ok'))
    response
      .writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'x-oauth-scopes': this.#credentials.botScopes.join(','),
      })
      .end(JSON.stringify(answer.body))
  }

  #answer(
    call: ApiCall,
    request: IncomingMessage,
    body: Buffer,
    refusal: string | undefined,
  ):
    | { readonly kind: 'body'; readonly body: JsonObject }
    | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number } {
    try {
      const args = parseArguments(request, body)
      const method = this.#methods[call.method]
      if (method === undefined) throw new ApiRefusal('unknown_method', { req_method: call.method })
      this.#authorize(method, tokenOf(request, args))
      const retryAfterSeconds = this.#retryAfter(call.method, method, args)
      if (retryAfterSeconds !== undefined) return { kind: 'rate_limited', retryAfterSeconds }
      if (refusal !== undefined) throw new ApiRefusal(refusal)
      return { kind: 'body', body: { ok: true, ...method.run(args, this.#context) } }
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error
      return { kind: 'body', body: { ok: false, error: error.error, ...error.details } }
    }
  }

  /** Refuses a call without a valid token or scope. All methods share these refusals: docs.slack.dev/reference/methods. */
  #authorize(method: ApiMethod, token: string | undefined): void {
    if (token === undefined) throw new ApiRefusal('not_authed')
    const { botToken, appToken, botScopes } = this.#credentials
    if (token !== botToken && token !== appToken) throw new ApiRefusal('invalid_auth')
    const kind = token === botToken ? 'bot' : 'app'
    const failure = this.#tokenFailures.get(kind)
    if (failure !== undefined) throw new ApiRefusal(failure)
    if (kind !== method.token) throw new ApiRefusal('not_allowed_token_type')
    if (method.scopes.length === 0 || method.scopes.some(scope => botScopes.includes(scope))) return
    throw new ApiRefusal('missing_scope', { needed: method.scopes.join(','), provided: botScopes.join(',') })
  }

  #retryAfter(name: string, method: ApiMethod, args: JsonObject): number | undefined {
    if (!this.#enforceRates || method.rate === 'none') return undefined
    if (method.rate === 'post') {
      return this.#limiter.take(`post ${String(args.channel)}`, {
        perSecond: SLACK_LIMITS.postsPerSecond,
        burst: SLACK_LIMITS.postBurst,
      })
    }
    const perMinute = SLACK_LIMITS.tierPerMinute[method.rate]
    return this.#limiter.take(name, { perSecond: perMinute / 60, burst: perMinute })
  }

  /** Slack documents this at docs.slack.dev/apis/web-api/rate-limits, "Responding to rate limiting conditions". */
  #rateLimited(call: ApiCall, response: ServerResponse, retryAfterSeconds: number): void {
    this.#finish(call, 'ratelimited')
    response
      .writeHead(429, { 'content-type': 'application/json; charset=utf-8', 'retry-after': String(retryAfterSeconds) })
      .end(JSON.stringify({ ok: false, error: 'ratelimited' }))
  }

  #finish(call: ApiCall, outcome: string): void {
    call.outcome = outcome
    this.#onChange()
  }
}

/** Reads a call's arguments for the log, as far as they can be read. Leaves out the token. */
function readArguments(request: IncomingMessage, body: Buffer): JsonObject {
  try {
    const { token: _token, ...args } = parseArguments(request, body)
    return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, parseNested(value)]))
  } catch {
    return {}
  }
}

/** Parses a text with JSON, for the log. A form contains objects and arrays as such texts. */
function parseNested(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function tokenOf(request: IncomingMessage, args: JsonObject): string | undefined {
  const header = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  const argument = args.token
  return header ?? (typeof argument === 'string' && argument !== '' ? argument : undefined)
}
