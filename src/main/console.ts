import { getRequestListener } from '@hono/node-server'
import type { AccessControl } from '../access/control.ts'
import type { AccessPolicy } from '../access/policy.ts'
import { onceItWorks } from '../base/memoize.ts'
import { packageFile } from '../base/package-files.ts'
import { createPressAccess } from '../bots/actions/press-access.ts'
import type { Tells } from '../bots/shared/platform-entry.ts'
import { createChartDrawer } from '../charts/drawer.ts'
import { ConsoleApp } from '../console/app.ts'
import { addDataRoutes } from '../console/data-routes.ts'
import { modelKeepingContent } from '../console/kept-content.ts'
import { addLineageRoutes } from '../console/lineage.ts'
import type { LineageViewsDeps } from '../console/lineage-views.ts'
import { addOperationRoutes } from '../console/operation-routes.ts'
import { createPageApp } from '../console/page-files.ts'
import { RunList } from '../console/run-list.ts'
import { RunMirror } from '../console/run-mirror.ts'
import { addRunRoutes } from '../console/run-routes.ts'
import { addSessionRoutes } from '../console/session-routes.ts'
import { addSubscriptionRoutes } from '../console/subscription-routes.ts'
import { EVALS_FOLDER } from '../evals/stored-reports.ts'
import type { Callers } from '../http/callers.ts'
import { HTTP_LIMITS } from '../http/limits.ts'
import { Sessions } from '../http/sessions.ts'
import { Tokens } from '../http/tokens.ts'
import type { TurnClient } from '../http/turn-client.ts'
import type { LanguageModel } from '../llm/language-model.ts'
import type { McpParts } from '../mcp/parts.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { createRedisStateStore } from '../store/redis/state-store.ts'
import type { StateStore } from '../store/state-store.ts'
import type { ShownSubscriptions } from '../subscriptions/shown-subscriptions.ts'
import type { HealthServer } from '../telemetry/health-server.ts'
import { chatWords } from '../words/chat.ts'
import { openAuditStores } from './audit.ts'
import { type wireAcceptor, wireRecords } from './chat-queue.ts'
import { observing, type WiringContext, wireFeedback, wireProposals } from './store.ts'

interface ConsoleParts {
  readonly callers: Callers
  readonly sessions: Sessions
  readonly policy: AccessPolicy | undefined
  readonly accessControl: Pick<AccessControl, 'mayRead' | 'mayPublish'>
  readonly redis: RedisClient
  readonly turns: TurnClient
  readonly subscriptions: ShownSubscriptions
  readonly accepting: ReturnType<typeof wireAcceptor>
  /** Reads data as a viewer, which connects with the first use, and counts what is read. */
  readonly data: Pick<McpParts, 'reads' | 'countQuery' | 'recorded'> & {
    readonly lineage: () => Promise<Omit<LineageViewsDeps, 'place'>>
  }
  /** Questions to suggest instead of those of the domain pack. */
  readonly examples?: readonly string[] | undefined
}

/** Serves the console: its routes, and its page for every other path. Call it after all other paths are served. */
export function serveConsole(context: WiringContext, server: HealthServer, parts: ConsoleParts): void {
  const { config, logger, resources } = context
  const { redis, data } = parts
  const store = createRedisStateStore(redis)
  const tokens = new Tokens({ redis, now: Date.now })
  const app = new ConsoleApp({ ...parts, ...observing(context), logger })
  addSessionRoutes(app, { ...parts, ...data, timeZone: config.timeZone, logger })
  const drawer = resources.add('chart drawer of the console', createChartDrawer(), opened => opened.close())
  addRunRoutes(app, {
    ...parts,
    ...data,
    store,
    mirror: new RunMirror({ redis, now: Date.now, tokens }),
    records: wireRecords(context, redis),
    access: createPressAccess(parts.accessControl),
    feedback: wireFeedback(context, store),
    drawChart: drawer.draw,
    now: Date.now,
  })
  addLineageRoutes(app, { ...data, drawer })
  addDataRoutes(app, {
    ...{ ...data, turns: parts.turns, store, now: Date.now },
    ...{ domainFolder: config.domainDirectory, evalsFolder: EVALS_FOLDER },
    proposals: wireProposals(context, store),
    lastRunSeconds: config.retention.feedback,
  })
  addSubscriptionRoutes(app, parts.subscriptions)
  addOperationRoutes(app, {
    ...parts.accepting,
    ...{ redis, tokens, caps: config.caps, timeZone: config.timeZone, now: Date.now },
    openAudit: onceItWorks(() => openAuditStores(context, AbortSignal.timeout(HTTP_LIMITS.requestMs))),
  })
  server.serve(
    '/console/',
    getRequestListener(request => app.fetch(request)),
  )
  server.serve('/', getRequestListener(createPageApp(packageFile('dist', 'console')).fetch))
}

/** Opens the list of runs for a process that answers, and watches what its runs take. */
export function wireRunList(context: WiringContext, redis: RedisClient): RunList {
  const { config, logger, resources, observers } = context
  const records = wireRecords(context, redis)
  const list = new RunList({ redis, records, retentionSeconds: config.retention.traces, now: Date.now, logger })
  observers?.add(list.observe)
  return resources.add('list of runs', list, opened => opened.close())
}

/** Keeps what a model is asked and replies with each run, if the operator wants that. */
export function modelWithContent({ config, logger }: WiringContext, store: StateStore, model: LanguageModel): LanguageModel {
  const deps = { store, retentionSeconds: config.retention.results, now: Date.now, logger }
  return config.spans.hasContent ? modelKeepingContent(model, deps) : model
}

export function wireSessions(context: Pick<WiringContext, 'observers'>, redis: RedisClient): Sessions {
  return new Sessions({ redis, tokens: new Tokens({ redis, now: Date.now, ...observing(context) }), now: Date.now })
}

/** Answers the command `/console` of a chat with a link for the person. */
export function consoleLinks(context: WiringContext, redis: RedisClient): Tells['console'] {
  const sessions = wireSessions(context, redis)
  return async ({ person, workspace }, language, signal) => {
    const words = chatWords(language)
    const base = context.config.consoleUrl
    if (base === undefined) return words.noConsole
    const who = { person, workspace, role: null, lifeMs: HTTP_LIMITS.sessionMs }
    return words.console(await sessions.createLink(consoleUrl({ consoleUrl: base, port: 0 }), who, signal))
  }
}

/** Returns the address of the console, without a slash at its end. */
export function consoleUrl({ consoleUrl: url, port }: Pick<WiringContext['config'], 'consoleUrl' | 'port'>): string {
  return url === undefined ? `http://localhost:${port}` : new URL(url).origin
}
