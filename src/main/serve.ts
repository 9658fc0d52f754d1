import { getRequestListener } from '@hono/node-server'
import { OpenQuestions } from '../agent/ask-back/open-questions.ts'
import { createHttpApp } from '../http/app.ts'
import { Callers } from '../http/callers.ts'
import { addMcpRoute } from '../http/mcp-route.ts'
import { addTurnRoutes } from '../http/routes.ts'
import { addSubscriptionRoutes } from '../http/subscription-routes.ts'
import { Tokens } from '../http/tokens.ts'
import { TurnClient } from '../http/turn-client.ts'
import { createMcpHandler } from '../mcp/http.ts'
import { queueFigures } from '../queue/queue-figures.ts'
import type { Caps } from '../queue/usage/caps.ts'
import { redisAnswers } from '../store/redis/connection.ts'
import { createRedisStateStore } from '../store/redis/state-store.ts'
import { shownSubscriptions } from '../subscriptions/shown-subscriptions.ts'
import { Subscriptions } from '../subscriptions/store.ts'
import type { HealthServer, ReadinessCheck } from '../telemetry/health-server.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { wireAccess } from './access.ts'
import { wireCaps } from './caps.ts'
import { wirePeople } from './chat-platforms.ts'
import { wireAcceptor, wireTurnEvents } from './chat-queue.ts'
import type { CommandContext } from './commands/command-context.ts'
import { serveUntilStopped } from './commands/serve-until-stopped.ts'
import { consoleUrl, serveConsole, wireSessions } from './console.ts'
import { type McpOptions, wireServedMcp } from './mcp.ts'
import type { OpenedParts } from './parts.ts'
import { reportProcess } from './report-process.ts'
import { requireParts } from './required-parts.ts'
import { wireSpans } from './spans.ts'
import { observing, type WiringContext, wireRedis } from './store.ts'

/** The parts that a process shares with its server, if it does other work too. */
interface ServedParts {
  readonly opened?: () => Promise<OpenedParts>
  readonly caps?: Caps
  /** Questions that the console suggests. Default: those of the domain pack. */
  readonly examples?: readonly string[]
}

/** Serves turns over HTTP. Writes each question to Redis, where a worker takes it. */
export async function startServing(
  context: WiringContext & { readonly signal: AbortSignal },
  { server, metrics }: { readonly server: HealthServer; readonly metrics?: Pick<Metrics, 'watchQueue'> },
  /** The tools for agents at `/mcp`. */
  options: McpOptions,
  given: ServedParts = {},
): Promise<Record<string, ReadinessCheck>> {
  const { config, logger, signal } = context
  const redis = await wireRedis(context, 'producer', signal)
  metrics?.watchQueue(() => queueFigures(redis, Date.now()))
  const store = createRedisStateStore(redis)
  const { policy, accessControl } = await wireAccess(context, { store, people: await wirePeople(context) })
  const accepting = wireAcceptor(context, redis)
  const turns = new TurnClient({
    ...accepting,
    redis,
    store,
    questions: new OpenQuestions({ store, now: Date.now }),
    events: wireTurnEvents(context, redis),
    retentionMs: config.retention.results * 1000,
    now: Date.now,
  })
  const tokens = new Tokens({ redis, now: Date.now, ...observing(context) })
  const sessions = wireSessions(context, redis)
  const rules = { policy, accessControl }
  const callers = new Callers({ tokens, sessions, rules, consoleUrl: consoleUrl(config) })
  const app = createHttpApp({ callers, corsOrigins: config.corsOrigins, logger })
  const shown = shownSubscriptions(new Subscriptions({ redis, now: Date.now }))
  addSubscriptionRoutes(app, shown)
  addTurnRoutes(app, { turns, logger, signal })
  const parts = wireServedMcp(context, options, { store, caps: given.caps ?? wireCaps(context, redis), opened: given.opened })
  addMcpRoute(app, { turns, parts, handle: createMcpHandler({ logger }) })
  const listener = getRequestListener(app.fetch)
  for (const path of ['/v1/', '/mcp', '/openapi.json']) server.serve(path, listener)
  serveConsole(context, server, {
    callers,
    sessions,
    ...rules,
    redis,
    turns,
    accepting,
    subscriptions: shown,
    data: parts,
    examples: given.examples,
  })
  logger.info('serving turns')
  return reportProcess(context, { kind: 'serve', redis }, { redis: () => redisAnswers(redis) })
}

/** `clew serve`: takes questions over HTTP until it is stopped. */
export async function serveCommand(
  context: CommandContext,
  { mcpMode: mode, mcpWithout: without }: { readonly mcpMode?: McpOptions['mode']; readonly mcpWithout?: McpOptions['without'] },
): Promise<number> {
  requireParts(context.config, ['redis'])
  await wireSpans(context, 'clew-serve')
  return serveUntilStopped(context, (server, metrics) => startServing(context, { server, metrics }, { mode, without }))
}
