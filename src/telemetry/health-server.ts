import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { ConfigurationError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { HEALTH_LIMITS } from './limits.ts'

/** Returns whether one part of the process is ready to work. A text is a state to show, which does not keep it from being ready. */
export type ReadinessCheck = () => boolean | string | Promise<boolean>

export interface HealthServer {
  readonly port: number
  /**
   * Serves another path on the same port, for all HTTP methods. A path that ends with `/` stands for all paths below it that
   * were not served before. The listener must answer every request.
   */
  serve(path: string, listener: RequestListener): void
  close(): Promise<void>
}

export interface HealthServerOptions {
  readonly port: number
  /** The address to listen on. Default: all of the machine. */
  readonly host?: string
  /** The checks by name. The process is ready if none of them returns false. While `started` is false, unknown paths get 503. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>
  readonly logger: Logger
}

/**
 * Serves `GET /health` (200) and `GET /ready` (200, or 503 with the names of the checks that fail).
 * @throws ConfigurationError if the port is taken
 */
export async function startHealthServer({ port, host, checks, logger }: HealthServerOptions): Promise<HealthServer> {
  const app = new Hono()
  app.get('/health', context => context.json({ status: 'ok' }))
  app.get('/ready', async context => {
    const parts = await heldChecks(checks)
    const ready = !Object.values(parts).includes(false)
    return context.json({ status: ready ? 'ready' : 'not ready', parts }, ready ? 200 : 503)
  })
  app.notFound(async context => {
    // A path that is served later must not look as if there were nothing.
    if (checks.started !== undefined && !(await holds(checks.started))) {
      const starting = {
        type: 'about:blank',
        title: 'starting',
        status: 503,
        detail: 'This process is starting.',
        code: 'starting',
      }
      return context.json(starting, 503, { 'Content-Type': 'application/problem+json', 'Retry-After': '1' })
    }
    const problem = { type: 'about:blank', title: 'not found', status: 404, detail: 'There is no such path.', code: 'not_found' }
    return context.json(problem, 404, { 'Content-Type': 'application/problem+json' })
  })
  const own = getRequestListener(app.fetch)
  const served = new Map<string, RequestListener>([
    ['/health', own],
    ['/ready', own],
  ])
  const server = createServer(HEALTH_LIMITS.connection, (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    const [, listener = own] = [...served].find(([each]) => (each.endsWith('/') ? path.startsWith(each) : path === each)) ?? []
    listener(request, response)
  })
  server.maxConnections = HEALTH_LIMITS.connections
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      reject(
        new ConfigurationError(
          taken
            ? `Port ${port} is taken: set PORT to a free one (another Clew process may serve it).`
            : `Port ${port} cannot be served.`,
          { cause: error },
        ),
      )
    })
    server.listen(port, host)
  })
  const { port: actual } = server.address() as AddressInfo
  logger.info({ port: actual }, 'serving health and readiness')
  return {
    port: actual,
    serve: (path, listener) => void served.set(path, listener),
    close: () => new Promise((resolve, reject) => server.close(error => (error ? reject(error) : resolve()))),
  }
}

/** Runs all checks. A check that throws counts as false. */
export async function heldChecks(checks: HealthServerOptions['checks']): Promise<Record<string, boolean | string>> {
  const parts = Object.entries(checks).map(async ([name, check]) => [name, await holds(check)] as const)
  return Object.fromEntries(await Promise.all(parts))
}

async function holds(check: ReadinessCheck): Promise<boolean | string> {
  try {
    return await check()
  } catch {
    return false
  }
}
