import { type Context, Hono } from 'hono'
import type { ParamKeys } from 'hono/types'
import type { z } from 'zod'
import type { AccessDecision } from '../access/decision.ts'
import { type AccessPolicy, consoleRightsOf } from '../access/policy.ts'
import { RefusedRead } from '../agent/direct-reads.ts'
import { runErrorSentence } from '../agent/run/describe-run-error.ts'
import { RunError } from '../agent/run/error.ts'
import { newRunId } from '../agent/run/id.ts'
import { ConfigurationError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { Places } from '../base/places.ts'
import { requestMistakes } from '../base/text/shape-mistakes.ts'
import { asRun } from '../base/watched-work.ts'
import { boundedBody, problemOf, unstored } from '../http/app.ts'
import type { Callers } from '../http/callers.ts'
import { HTTP_PLATFORM } from '../http/place.ts'
import { Problem } from '../http/problem.ts'
import type { Caller } from '../http/turn-client.ts'
import { PipelineError } from '../pipelines/error.ts'
import { rightsOf } from '../queue/deliver/reply-rights.ts'
import type { Observe } from '../telemetry/observation.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { CONSOLE_LIMITS, limited } from './limits.ts'
import { CONSOLE_ROUTES, type ConsoleRoute, type Who } from './routes.ts'

/** Who has signed in, with the rights of this moment. */
export interface Viewer {
  /** As `slack/U1`. */
  readonly person: string
  /** The roles of access.yaml. Empty without rules. */
  readonly roles: readonly string[]
  readonly may: { readonly operate: boolean; readonly define: boolean }
  /** The tables that the person may read. Undefined: all. */
  readonly access: Extract<AccessDecision, { kind: 'granted' }>['access']
  /** A digest of these rights. Null without rules. */
  readonly rights: string | null
  /** The same person as a caller of `/v1`. */
  readonly caller: Caller
}

type PathOf<Route> = Route extends `${string} ${infer Path}` ? Path : never

/** A request of a viewer, as its handler gets it. A route for `anyone` has no viewer. */
export interface Asked<Route extends ConsoleRoute, Given = undefined> {
  readonly viewer: Viewer
  /** The parameters of the path. */
  readonly path: Readonly<Record<ParamKeys<PathOf<Route>>, string>>
  /** What stands behind `?`, or the JSON of a change, as the route's schema describes it. */
  readonly given: Given
  /** The time limit of the request. */
  readonly signal: AbortSignal
  readonly context: Context
}
/** Returns what the answer has as JSON, nothing, or a response of its own. */
type Handler<Route extends ConsoleRoute, Given> = (asked: Asked<Route, Given>) => Promise<unknown> | unknown

interface ConsoleAppDeps {
  readonly callers: Callers
  readonly policy: AccessPolicy | undefined
  readonly logger: Logger
  readonly observe?: Observe
}

/** The JSON routes of the console. Each is served to whom the table `CONSOLE_ROUTES` names, decided on every request. */
export class ConsoleApp {
  readonly #app = new Hono()
  readonly #deps: ConsoleAppDeps
  readonly #asked = new Places({ all: Number.POSITIVE_INFINITY, ofOne: CONSOLE_LIMITS.requestsOfPerson })
  readonly #served = new Places({ all: Number.POSITIVE_INFINITY, ofOne: CONSOLE_LIMITS.servedOfPerson })

  constructor(deps: ConsoleAppDeps) {
    this.#deps = deps
    this.#app.use(unstored)
    this.#app.use(async (context, next) => {
      deps.callers.checkOrigin(context.req.raw)
      await next()
    })
    this.#app.use(boundedBody)
    this.#app.notFound(() => new Problem(404, 'not_found', 'The console has no such path.').toResponse())
    this.#app.onError(error => (problemOfRead(error) ?? problemOf(error, deps.logger)).toResponse())
  }

  /**
   * Serves a route of the table. What the handler does counts as work for the viewer, and a change counts as a press. Of one
   * person, a few requests are served at a time.
   */
  add<Route extends ConsoleRoute>(route: Route, handler: Handler<Route, undefined>): void
  add<Route extends ConsoleRoute, Given>(route: Route, schema: z.ZodType<Given>, handler: Handler<Route, Given>): void
  add<Route extends ConsoleRoute, Given>(
    route: Route,
    ...served: [Handler<Route, undefined>] | [schema: z.ZodType<Given>, handler: Handler<Route, Given>]
  ): void {
    const [handler, schema] = [...served].reverse() as [Handler<Route, unknown>, z.ZodType?]
    const [method = '', path = ''] = route.split(' ')
    const entry: Who | readonly [Who, string | null] = CONSOLE_ROUTES[route]
    const [who, action] = typeof entry === 'string' ? [entry, null] : entry
    this.#app.on(method, path, async context => {
      const answer = async (viewer?: Viewer) => {
        const body = method === 'GET' ? queryOf(context) : schema && (await context.req.json().catch(() => undefined))
        const given = schema && checked(body, schema)
        const asked = { viewer, path: context.req.param(), given, signal: limited(path), context }
        const shown = await handler(asked as unknown as Asked<Route, Given>)
        if (shown instanceof Response) return shown
        return shown === undefined ? context.body(null, 204) : context.json(shown)
      }
      if (who === 'anyone') return answer()
      const viewer = await this.#viewerOf(context.req.raw)
      if (viewer === undefined)
        throw new Problem(401, 'signed_out', 'Sign in with a link: clew tokens link, or /console in chat.')
      if (who !== 'signed_in' && !viewer.may[who])
        throw new Problem(403, 'not_allowed', `This needs a role with ${who}: true in access.yaml.`)
      const { person, caller, roles } = viewer
      const pressed = async () => {
        let outcome: 'answered' | 'failed' = 'failed'
        try {
          const response = await answer(viewer)
          outcome = 'answered'
          return response
        } finally {
          if (action !== null) this.#deps.observe?.({ kind: 'press', platform: 'console', action, outcome })
        }
      }
      const leave = await this.#enter(person, context.req.raw.signal)
      const place = { platform: HTTP_PLATFORM, channel: caller.token.id }
      return asRun({ id: newRunId(), person, place, role: roles.join(' ') }, pressed).finally(leave)
    })
  }

  /** Waits until a person's request may be served. @returns ends it */
  async #enter(person: string, left: AbortSignal): Promise<() => void> {
    const leave = this.#asked.take(person)
    const signal = AbortSignal.any([left, AbortSignal.timeout(CONSOLE_LIMITS.requestMs)])
    const end = leave && (await this.#served.wait(person, signal).catch(() => undefined))
    if (end === undefined) {
      leave?.()
      throw Problem.busy('too_many_requests', 'Too many requests of yours are under way.')
    }
    return () => {
      end()
      leave?.()
    }
  }

  /** Returns who sends a request. Undefined without a session that holds. Without rules, only a person at the terminal has all rights. */
  async #viewerOf(request: Request): Promise<Viewer | undefined> {
    const { callers, policy } = this.#deps
    const caller = await callers.bySession(request)
    if (caller === undefined) return undefined
    const { person = '', workspace } = caller.token
    const { roles, access } = caller.access
    const all = workspace === undefined
    const may = policy === undefined ? { operate: all, define: all } : consoleRightsOf(policy, roles)
    return { person, roles, may, access, rights: rightsOf(caller.access) ?? null, caller }
  }

  fetch(request: Request): Response | Promise<Response> {
    return this.#app.fetch(request)
  }
}

/** Returns what stands behind `?`. An empty parameter, as a form sends it, counts as absent. */
function queryOf({ req }: Context): unknown {
  return Object.fromEntries(Object.entries(req.query()).filter(([, value]) => value !== ''))
}

/** @throws Problem 400 with the mistakes */
function checked<Value>(given: unknown, schema: z.ZodType<Value>): Value {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const mistakes = requestMistakes(parsed.error, given)
  throw new Problem(400, 'invalid_request', 'The request is not as the console expects it.', { more: { mistakes } })
}

/** Tells people why data, pipelines or the audit log cannot be read. Undefined for other errors. */
function problemOfRead(error: unknown): Problem | undefined {
  if (error instanceof RefusedRead) return new Problem(404, 'no_table', error.message)
  if (error instanceof RunError) return Problem.busy(error.code, error.message)
  if (error instanceof PipelineError && error.kind === 'not_found') return new Problem(404, 'not_found', error.message)
  if (error instanceof PipelineError && error.kind === 'refused') return new Problem(403, 'not_allowed', error.message)
  if (error instanceof ConfigurationError) return new Problem(409, 'not_configured', error.message)
  if (error instanceof WarehouseError) return Problem.busy('data_unavailable', runErrorSentence(error, 'en'), undefined, 503)
  return undefined
}
