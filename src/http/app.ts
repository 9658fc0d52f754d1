import { OpenAPIHono } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { HTTPException } from 'hono/http-exception'
import type { AccessPolicy } from '../access/policy.ts'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { StoreError } from '../store/store-error.ts'
import { HTTP_LIMITS } from './limits.ts'
import { Problem } from './problem.ts'
import { decisionOf } from './token-admission.ts'
import type { Tokens } from './tokens.ts'
import type { Caller } from './turn-client.ts'

/** Each handler below the authentication finds the caller by `context.get('caller')`. */
export interface HttpEnv {
  readonly Variables: { readonly caller: Caller }
}

export interface HttpAppDeps {
  readonly tokens: Pick<Tokens, 'verify'>
  /** The rules of access. Undefined if there are none. */
  readonly policy: AccessPolicy | undefined
  /** The origins whose scripts may call the server from a browser. */
  readonly corsOrigins: readonly string[]
  readonly logger: Logger
}

/**
 * Creates the app for `clew serve`. Each path needs a bearer token, except `/openapi.json`. Bodies are bounded, and read only
 * with a valid token. Errors are `application/problem+json`. Further routes may be mounted on it.
 */
export function createHttpApp({ tokens, policy, corsOrigins, logger }: HttpAppDeps): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>({
    defaultHook: ({ success, ...result }) => {
      if (success) return
      const issues = 'error' in result ? result.error.issues : []
      const mistakes = issues.map(({ path, message }) => ({ path: path.join('.'), message }))
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
  app.use(async (context, next) => {
    const [, bearer = ''] = /^Bearer +(\S+)$/i.exec(context.req.header('Authorization') ?? '') ?? []
    const token = await tokens.verify(bearer, AbortSignal.timeout(HTTP_LIMITS.requestMs))
    if (token === undefined) throw Problem.unauthorized()
    const access = decisionOf(token, policy)
    if (access.kind === 'refused') throw Problem.noRole(token.role)
    context.set('caller', { token, access })
    await next()
  })
  app.use(
    bodyLimit({
      maxSize: HTTP_LIMITS.bodyBytes,
      onError: async ({ req }) => {
        // Otherwise the connection breaks off half a second later, perhaps in the client's next request.
        await req.raw.body?.cancel().catch(() => undefined)
        throw new Problem(413, 'too_large', `A body has at most ${HTTP_LIMITS.bodyBytes} bytes.`)
      },
    }),
  )
  app.notFound(() => Problem.noPath().toResponse())
  app.onError(error => problemOf(error, logger).toResponse())
  return app
}

function problemOf(error: unknown, logger: Logger): Problem {
  if (error instanceof Problem) return error
  if (error instanceof HTTPException) return new Problem(400, 'invalid_request', error.message)
  logger.error({ error: errorMessage(error) }, 'a request failed')
  if (error instanceof StoreError && error.retryable)
    return Problem.busy('store_unavailable', 'Redis cannot serve now. Try again.', HTTP_LIMITS.busyMs, 503)
  return new Problem(500, 'fault', 'Something went wrong here. Whoever runs Clew finds the reason in its log.')
}
