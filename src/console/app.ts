import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import type { AccessDecision } from '../access/decision.ts'
import { type AccessPolicy, consoleRightsOf } from '../access/policy.ts'
import { newRunId } from '../agent/run/id.ts'
import type { Logger } from '../base/logger.ts'
import { Places } from '../base/places.ts'
import { asRun } from '../base/watched-work.ts'
import { boundedBody, problemOf, unstored } from '../http/app.ts'
import type { Callers } from '../http/callers.ts'
import { HTTP_PLATFORM } from '../http/place.ts'
import { Problem } from '../http/problem.ts'
import type { Caller } from '../http/turn-client.ts'
import { rightsOf } from '../queue/deliver/reply-rights.ts'
import type { Observe } from '../telemetry/observation.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import { CONSOLE_PRESSES, CONSOLE_ROUTES, type ConsoleRoute, type Who } from './routes.ts'

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

/** A handler finds the viewer by `context.get('viewer')`. It is absent only on routes for `anyone`. */
export interface ConsoleEnv {
  readonly Variables: { readonly viewer: Viewer }
}

type PathOf<Route extends ConsoleRoute> = Route extends `${string} ${infer Path}` ? Path : never
type Handler<Route extends ConsoleRoute> = (context: Context<ConsoleEnv, PathOf<Route>>) => Promise<Response> | Response

interface ConsoleAppDeps {
  readonly callers: Callers
  readonly policy: AccessPolicy | undefined
  readonly logger: Logger
  readonly observe?: Observe
}

/** The JSON routes of the console. Each is served to whom the table `CONSOLE_ROUTES` names, decided on every request. */
export class ConsoleApp {
  readonly #app = new Hono<ConsoleEnv>()
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
    this.#app.onError(error => problemOf(error, deps.logger).toResponse())
  }

  /**
   * Serves a route of the table. What the handler does counts as work for the viewer, and a change counts as a press. Of one
   * person, a few requests are served at a time.
   */
  add<Route extends ConsoleRoute>(route: Route, handler: Handler<Route>): void {
    const [method = '', path = ''] = route.split(' ')
    const who: Who = CONSOLE_ROUTES[route]
    const action: string | undefined = CONSOLE_PRESSES[route as keyof typeof CONSOLE_PRESSES]
    this.#app.on(method, path, async context => {
      const handled = async () => handler(context as unknown as Parameters<typeof handler>[0])
      if (who === 'anyone') return handled()
      const viewer = await this.viewerOf(context.req.raw)
      if (viewer === undefined)
        throw new Problem(401, 'signed_out', 'Sign in with a link: clew tokens link, or /console in chat.')
      if (who !== 'signed_in' && !viewer.may[who])
        throw new Problem(403, 'not_allowed', `This needs a role with ${who}: true in access.yaml.`)
      context.set('viewer', viewer)
      const { person, caller } = viewer
      const place = { platform: HTTP_PLATFORM, channel: caller.token.id }
      const pressed = async () => {
        let isDone = false
        try {
          const response = await handled()
          isDone = true
          return response
        } finally {
          const outcome = isDone ? 'answered' : 'failed'
          if (action !== undefined) this.#deps.observe?.({ kind: 'press', platform: 'console', action, outcome })
        }
      }
      const leave = await this.#enter(person, context.req.raw.signal)
      return asRun({ id: newRunId(), person, place, role: viewer.roles.join(' ') }, pressed).finally(leave)
    })
  }

  /** Waits until a person's request may be served. @returns ends it */
  async #enter(person: string, left: AbortSignal): Promise<() => void> {
    const busy = () => Problem.busy('too_many_requests', 'Too many requests of yours are under way.')
    const leave = this.#asked.take(person)
    if (leave === undefined) throw busy()
    const signal = AbortSignal.any([left, AbortSignal.timeout(CONSOLE_LIMITS.requestMs)])
    const end = await this.#served.wait(person, signal).catch(() => undefined)
    if (end === undefined) {
      leave()
      throw busy()
    }
    return () => {
      end()
      leave()
    }
  }

  /** Returns who sends a request. Undefined without a session that holds. */
  async viewerOf(request: Request): Promise<Viewer | undefined> {
    const caller = await this.#deps.callers.bySession(request)
    return caller && viewerOf(caller, this.#deps.policy)
  }

  fetch(request: Request): Response | Promise<Response> {
    return this.#app.fetch(request)
  }
}

/** Returns the person of a session. Without rules, only a person at the terminal has all rights. */
export function viewerOf(caller: Caller, policy: AccessPolicy | undefined): Viewer {
  const { token, access } = caller
  const { person = '', workspace } = token
  const isOperator = workspace === undefined
  const may = policy === undefined ? { operate: isOperator, define: isOperator } : consoleRightsOf(policy, access.roles)
  return { person, roles: access.roles, may, access: access.access, rights: rightsOf(access) ?? null, caller }
}

/** Reads the JSON of a request. @throws Problem 400 with the mistakes */
export async function readBody<Value>({ req }: Context, schema: z.ZodType<Value>): Promise<Value> {
  return checked(await req.json().catch(() => undefined), schema)
}

/** Reads the parameters behind `?`. @throws Problem 400 with the mistakes */
export function readQuery<Value>({ req }: Context, schema: z.ZodType<Value>): Value {
  return checked(req.query(), schema)
}

function checked<Value>(given: unknown, schema: z.ZodType<Value>): Value {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const mistakes = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  throw new Problem(400, 'invalid_request', 'The request is not as the console expects it.', { more: { mistakes } })
}
