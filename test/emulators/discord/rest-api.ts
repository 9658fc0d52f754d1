import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiRefusal } from './api-refusal.ts'
import type { ApiAnswer, ApiContext, ApiRequest, Route } from './api-route.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import type { Fault, FaultInjection } from './fault-injection.ts'
import { isObject, type JsonObject } from './json.ts'
import { type BucketState, RateLimits } from './rate-limits.ts'
import { type ApiBody, readApiBody, type UploadedFile } from './request-body.ts'
import { ROUTES, type RouteName } from './routes.ts'

/** One request to the emulated API. Requests are listed in order of arrival. */
export interface ApiCall {
  readonly route: RouteName
  readonly path: string
  readonly body: unknown
  readonly files: readonly UploadedFile[]
  /** The time of the request, in milliseconds since the emulator started. */
  readonly at: number
  /** The HTTP status of the answer. Undefined while the request is in progress. 0 if the answer was lost on purpose. */
  status: number | undefined
  /** Discord's error code. Undefined if the request was not refused. */
  code: number | undefined
}

interface Match {
  readonly name: RouteName
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

interface CompiledRoute {
  readonly name: RouteName
  readonly route: Route
  readonly method: string
  readonly pattern: RegExp
}

/** Matches the form that Discord requires: `DiscordBot ($url, $versionNumber)`. Discord documents this in reference, "User Agent". */
const USER_AGENT = /^DiscordBot \(\S+, \S+\)/
const API_PATH = /^\/api\/v10(\/.*)$/

/** Discord's REST API, version 10, with its tokens, rate limits and routes, and with planned faults. */
export class RestApi {
  readonly calls: ApiCall[] = []
  readonly #context: ApiContext
  readonly #accepts: (token: string) => boolean
  readonly #faults: FaultInjection
  readonly #limits: RateLimits
  readonly #invalidRequests: RateLimits
  readonly #routes = compile()
  readonly #onChange: () => void
  #enforcesRates: boolean

  constructor(deps: {
    context: ApiContext
    accepts: (token: string) => boolean
    faults: FaultInjection
    enforceRates: boolean
    onChange: () => void
  }) {
    this.#context = deps.context
    this.#accepts = deps.accepts
    this.#faults = deps.faults
    this.#limits = new RateLimits(deps.context.clock)
    this.#invalidRequests = new RateLimits(deps.context.clock)
    this.#onChange = deps.onChange
    this.#enforcesRates = deps.enforceRates
  }

  enforceRates(enforce: boolean): void {
    this.#enforcesRates = enforce
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const path = API_PATH.exec(url.pathname)?.[1]
    let body: ApiBody
    let match: Match
    try {
      body = await readApiBody(request)
      if (path === undefined) throw new ApiRefusal('notFound')
      match = this.#match(request.method ?? 'GET', path)
    } catch (error) {
      return answer(response, refusalAnswer(error))
    }
    const call: ApiCall = {
      route: match.name,
      path: path ?? '',
      body: body.json,
      files: body.files,
      at: this.#context.clock.elapsed(),
      status: undefined,
      code: undefined,
    }
    this.calls.push(call)
    this.#onChange()
    const fault = this.#faults.next(match.name, isRich(body.json))
    if (fault?.kind === 'stored_late') response.destroy()
    await this.#faults.pause(fault)
    const outcome = this.#outcome(request, match, url.searchParams, body, fault)
    this.#finish(call, response, outcome, fault)
    this.#onChange()
  }

  #finish(call: ApiCall, response: ServerResponse, outcome: Outcome, fault: Fault | undefined): void {
    if (fault?.kind === 'lost_answer' || fault?.kind === 'stored_late') {
      call.status = 0
      response.destroy()
      return
    }
    call.status = outcome.status
    call.code = isObject(outcome.body) && typeof outcome.body.code === 'number' ? outcome.body.code : undefined
    const isInvalid = [401, 403, 429].includes(outcome.status) && outcome.headers?.['X-RateLimit-Scope'] !== 'shared'
    if (isInvalid) this.#invalidRequests.take('invalid', DISCORD_LIMITS.invalidRequests)
    answer(response, outcome)
  }

  #outcome(request: IncomingMessage, match: Match, query: URLSearchParams, body: ApiBody, fault: Fault | undefined): Outcome {
    if (this.#invalidRequests.isExhausted('invalid', DISCORD_LIMITS.invalidRequests)) {
      return { status: 429, text: 'error code: 1015', headers: { 'Retry-After': '600' } }
    }
    if (!USER_AGENT.test(request.headers['user-agent'] ?? '')) return refusalAnswer(new ApiRefusal('blockedUserAgent'))
    if (fault?.kind === 'http_error') return { status: fault.status, text: 'upstream connect error' }
    if (fault?.kind === 'rate_limited') return rateLimited(fault.retryAfterSeconds, fault.scope)
    if (fault?.kind === 'refused') return { status: fault.status, body: { message: fault.message, code: fault.code } }
    if (fault?.kind === 'refused_embeds') {
      const errors = { embeds: { _errors: [{ code: 'EMULATED', message: 'This is not accepted now' }] } }
      return refusalAnswer(new ApiRefusal('invalidForm', errors))
    }
    const isAuthorized = match.route.auth === 'none' || this.#accepts(bearer(request))
    if (!isAuthorized) return refusalAnswer(new ApiRefusal('unauthorized'))
    const limited = this.#limit(match)
    if (limited.refusal !== undefined) return limited.refusal
    try {
      return { ...match.route.handle(apiRequest(match, query, body), this.#context), headers: limited.headers }
    } catch (error) {
      return { ...refusalAnswer(error), headers: limited.headers }
    }
  }

  #limit(match: Match): { readonly refusal?: Outcome; readonly headers: Headers } {
    if (!this.#enforcesRates) return { headers: {} }
    if (match.route.auth !== 'none') {
      const global = this.#limits.take('global', DISCORD_LIMITS.globalRate)
      if (global.isExceeded) return { refusal: rateLimited(global.resetAfterMs / 1000, 'global'), headers: {} }
    }
    const { bucket } = match.route
    if (bucket === undefined) return { headers: {} }
    const { channel = '', guild = '', token = '' } = match.params
    const state = this.#limits.take(`${bucket}:${channel}:${guild}:${token}`, DISCORD_LIMITS.buckets[bucket])
    const headers = bucketHeaders(bucket, state)
    if (!state.isExceeded) return { headers }
    const refusal = rateLimited(state.resetAfterMs / 1000, 'user')
    return { refusal: { ...refusal, headers: { ...headers, ...refusal.headers } }, headers }
  }

  #match(method: string, path: string): Match {
    const matching = this.#routes.filter(route => route.pattern.test(path))
    const found = matching.find(route => route.method === method)
    if (found === undefined) throw new ApiRefusal(matching.length > 0 ? 'methodNotAllowed' : 'notFound')
    const groups = found.pattern.exec(path)?.groups ?? {}
    const params = Object.fromEntries(Object.entries(groups).map(([key, value]) => [key, decodeURIComponent(value)]))
    return { name: found.name, route: found.route, params }
  }
}

type Headers = Readonly<Record<string, string>>
type Outcome = ApiAnswer & { readonly headers?: Headers; readonly text?: string }

/** Returns the routes in the order in which they are tried. Fixed paths come first, so that `@me` is not taken for an id. */
function compile(): readonly CompiledRoute[] {
  return Object.entries(ROUTES)
    .map(([key, route]) => {
      const [method = '', path = ''] = key.split(' ')
      const pattern = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
      return { name: key as RouteName, route, method, pattern, names: path.split('{').length }
    })
    .sort((first, second) => first.names - second.names)
}

function apiRequest(match: Match, query: URLSearchParams, body: ApiBody): ApiRequest {
  return {
    param: name => match.params[name] ?? '',
    query,
    form: isObject(body.json) ? body.json : {},
    json: body.json,
    files: body.files,
  }
}

function bearer(request: IncomingMessage): string {
  return /^Bot (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
}

function isRich(json: unknown): boolean {
  if (!isObject(json)) return false
  const form = isObject(json.data) ? json.data : json
  return [form.embeds, form.components].some(part => Array.isArray(part) && part.length > 0)
}

function rateLimited(retryAfterSeconds: number, scope: 'user' | 'global' | 'shared'): Outcome {
  const message = scope === 'shared' ? 'The resource is being rate limited.' : 'You are being rate limited.'
  const body: JsonObject = { message, retry_after: retryAfterSeconds, global: scope === 'global' }
  const headers = {
    'Retry-After': String(Math.ceil(retryAfterSeconds)),
    'X-RateLimit-Scope': scope,
    ...(scope === 'global' ? { 'X-RateLimit-Global': 'true' } : {}),
  }
  return { status: 429, body, headers }
}

/** Discord documents this in topics/rate-limits, "Header Format". */
function bucketHeaders(bucket: string, state: BucketState): Headers {
  return {
    'X-RateLimit-Limit': String(state.limit),
    'X-RateLimit-Remaining': String(state.remaining),
    'X-RateLimit-Reset': String(state.resetAt / 1000),
    'X-RateLimit-Reset-After': String(state.resetAfterMs / 1000),
    'X-RateLimit-Bucket': Buffer.from(`emulated-${bucket}`).toString('hex'),
  }
}

function refusalAnswer(error: unknown): Outcome {
  if (!(error instanceof ApiRefusal)) throw error
  return { status: error.status, body: error.body() }
}

function answer(response: ServerResponse, outcome: Outcome): void {
  const headers = { ...outcome.headers }
  if (outcome.text !== undefined) {
    response.writeHead(outcome.status, { ...headers, 'content-type': 'text/plain' }).end(outcome.text)
  } else if (outcome.body === undefined) {
    response.writeHead(outcome.status, headers).end()
  } else {
    response.writeHead(outcome.status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(outcome.body))
  }
}
