import { OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { HTTPException } from 'hono/http-exception'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { requestMistakes } from '../base/text/shape-mistakes.ts'
import { StoreError } from '../store/store-error.ts'
import type { Callers } from './callers.ts'
import { HTTP_LIMITS } from './limits.ts'
import { Problem } from './problem.ts'
import type { Caller } from './turn-client.ts'

/**
 * Each handler below the authentication finds the caller by `context.get('caller')`. `callerNow` decides anew, by session or token
 * and rules as they are then, and throws Problem.
 */
export interface HttpEnv {
  readonly Variables: { readonly caller: Caller; readonly callerNow: () => Promise<Caller> }
}

export interface HttpAppDeps {
  readonly callers: Pick<Callers, 'byBearer' | 'bySession'>
  /** The origins whose scripts may call the server from a browser. */
  readonly corsOrigins: readonly string[]
  readonly logger: Logger
}

/**
 * Creates the app for `clew serve`. Each path needs a bearer token, except `/openapi.json`. Below `/v1/`, a session of the console
 * serves as well. Bodies are bounded, and read only
 * with a valid token. Errors are `application/problem+json`. Further routes may be mounted on it.
 */
export function createHttpApp({ callers, corsOrigins, logger }: HttpAppDeps): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>({
    defaultHook: result => {
      if (result.success) return
      const mistakes = requestMistakes(result.error, 'data' in result ? result.data : undefined)
      throw new Problem(400, 'invalid_request', 'The request is not as /openapi.json describes it.', { more: { mistakes } })
    },
  })
  app.openAPIRegistry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' })
  if (corsOrigins.length > 0) {
    const allowHeaders = ['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID', 'Mcp-Protocol-Version']
    app.use(cors({ origin: [...corsOrigins], allowHeaders, exposeHeaders: ['Location', 'Retry-After'], maxAge: 600 }))
  }
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    security: [{ token: [] }],
    info: { title: 'Clew', version: '1', description: 'Questions about data, answered with every claim cited.' },
  })
  app.use(unstored)
  app.use(async (context, next) => {
    const { raw, path } = context.req
    const mayHaveSession = path.startsWith('/v1/') && !raw.headers.has('Authorization')
    const callerNow = async () => (mayHaveSession ? await callers.bySession(raw) : undefined) ?? callers.byBearer(raw)
    context.set('caller', await callerNow())
    context.set('callerNow', callerNow)
    await next()
  })
  app.use(boundedBody)
  app.notFound(() => Problem.noPath().toResponse())
  app.onError(error => problemOf(error, logger).toResponse())
  return app
}

/** Marks answers, refusals too, as nothing that a browser or a proxy may keep or take for another type. */
export const unstored: MiddlewareHandler = async (context, next) => {
  await next()
  context.header('Cache-Control', 'no-store')
  context.header('X-Content-Type-Options', 'nosniff')
}

/** Refuses a body above the limit. */
export const boundedBody = bodyLimit({
  maxSize: HTTP_LIMITS.bodyBytes,
  onError: async ({ req }) => {
    // Otherwise the connection breaks off half a second later, perhaps in the client's next request.
    await req.raw.body?.cancel().catch(() => undefined)
    throw new Problem(413, 'too_large', `A body has at most ${HTTP_LIMITS.bodyBytes} bytes.`)
  },
})

/** Turns an error of a handler into a problem. Logs it if it is a fault. */
export function problemOf(error: unknown, logger: Logger): Problem {
  if (error instanceof Problem) return error
  if (error instanceof HTTPException) return new Problem(400, 'invalid_request', error.message)
  logger.error({ error: errorMessage(error) }, 'a request failed')
  if (error instanceof StoreError && error.retryable)
    return Problem.busy('store_unavailable', 'Redis cannot serve now. Try again.', HTTP_LIMITS.busyMs, 503)
  return new Problem(500, 'fault', 'Something went wrong here. Whoever runs Clew finds the reason in its log.')
}
