import { getRequestListener } from '@hono/node-server'
import type { AccessPolicy } from '../access/policy.ts'
import type { DirectReads } from '../agent/direct-reads.ts'
import { packageFile } from '../base/package-files.ts'
import { ConsoleApp } from '../console/app.ts'
import { addOperationRoutes } from '../console/operation-routes.ts'
import { createPageApp } from '../console/page-files.ts'
import { addSessionRoutes } from '../console/session-routes.ts'
import type { Callers } from '../http/callers.ts'
import { Sessions } from '../http/sessions.ts'
import type { Tokens } from '../http/tokens.ts'
import type { RedisClient } from '../store/redis/client.ts'
import type { HealthServer } from '../telemetry/health-server.ts'
import { openAuditStores } from './audit.ts'
import type { wireAcceptor } from './chat-queue.ts'
import { observing, type WiringContext } from './store.ts'

interface ConsoleParts {
  readonly callers: Callers
  readonly sessions: Sessions
  readonly policy: AccessPolicy | undefined
  readonly redis: RedisClient
  readonly accepting: ReturnType<typeof wireAcceptor>
  /** Reads data as a viewer. It connects with the first use. */
  readonly reads: () => Promise<DirectReads>
  /** Questions to suggest instead of those of the domain pack. */
  readonly examples?: readonly string[] | undefined
}

/** Serves the console: its routes, and its page for every other path. Call it after all other paths are served. */
export function serveConsole(context: WiringContext, server: HealthServer, parts: ConsoleParts): void {
  const { config, logger } = context
  const app = new ConsoleApp({ ...parts, logger })
  addSessionRoutes(app, { ...parts, timeZone: config.timeZone, logger })
  const { redis, accepting } = parts
  addOperationRoutes(app, {
    ...accepting,
    ...{ redis, caps: config.caps, timeZone: config.timeZone, now: Date.now },
    ...observing(context),
    openAudit: onceOpened(signal => openAuditStores(context, signal)),
  })
  server.serve(
    '/console/',
    getRequestListener(request => app.fetch(request)),
  )
  server.serve('/', getRequestListener(createPageApp(packageFile('dist', 'console')).fetch))
}

/** Opens something with the first call. After a failure, the next call tries again. */
function onceOpened<Opened>(open: (signal: AbortSignal) => Promise<Opened>): (signal: AbortSignal) => Promise<Opened> {
  let opened: Promise<Opened> | undefined
  return signal => {
    opened ??= open(signal).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
}

export function wireSessions(redis: RedisClient, tokens: Tokens): Sessions {
  return new Sessions({ redis, tokens, now: Date.now })
}

/** Returns the address of the console, without a slash at its end. */
export function consoleUrl({ consoleUrl: url, port }: Pick<WiringContext['config'], 'consoleUrl' | 'port'>): string {
  return url?.replace(/\/+$/, '') ?? `http://localhost:${port}`
}
