import { errorMessage } from '../base/errors.ts'
import { watchLoop } from '../base/watch-loop.ts'
import { hasHeldLoop } from '../base/watched-work.ts'
import { EventDeduplicator } from '../bots/shared/event-deduplicator.ts'
import type { ChatInbound } from '../chat/event.ts'
import { loadDomainPack } from '../domain/pack.ts'
import { cancelDeletedQuestion } from '../queue/accept/question-deletion.ts'
import { createRecentQuestions } from '../queue/accept/recent-questions.ts'
import { guardDestinations } from '../queue/deliver/guard-destinations.ts'
import { KeyedSequence } from '../queue/keyed-sequence.ts'
import { QUEUE_LIMITS } from '../queue/limits.ts'
import { createPressQueue } from '../queue/presses/queue.ts'
import { queueFigures } from '../queue/queue-figures.ts'
import { reportDroppedEvent } from '../queue/report-dropped-event.ts'
import { redisAnswers } from '../store/redis/connection.ts'
import { createRedisStateStore } from '../store/redis/state-store.ts'
import type { HealthServer, ReadinessCheck } from '../telemetry/health-server.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { wireAccess } from './access.ts'
import { wireCaps } from './caps.ts'
import { wireChatPlatforms } from './chat-platforms.ts'
import { wireMessageReceiver } from './chat-queue.ts'
import type { CommandContext } from './commands/command-context.ts'
import { serveUntilStopped } from './commands/serve-until-stopped.ts'
import { consoleLinks } from './console.ts'
import { MAIN_LIMITS } from './limits.ts'
import { reportProcess } from './report-process.ts'
import { requireParts } from './required-parts.ts'
import { wireSpans } from './spans.ts'
import { observing, type WiringContext, wireRedis } from './store.ts'

/**
 * Connects to every configured chat platform. Writes each event to Redis and acknowledges it. Answers each message with a
 * placeholder.
 * @param parts.server serves platforms that send events over HTTP
 * @returns the readiness checks of the connections
 */
export async function startBots(
  context: WiringContext,
  { server, metrics }: { readonly server: HealthServer; readonly metrics: Pick<Metrics, 'watchQueue'> },
  signal: AbortSignal,
): Promise<Record<string, ReadinessCheck>> {
  const { config, logger, resources, breakers } = context
  resources.add('watch over the event loop', watchLoop(logger), opened => opened.close())
  const platforms = await wireChatPlatforms(context)
  const redis = await wireRedis(context, 'producer', signal)
  metrics.watchQueue(() => queueFigures(redis, Date.now()))
  const watched = { breakers, ...observing(context) }
  const { destinations } = guardDestinations(platforms.destinations, { redis, logger, now: Date.now, ...watched })
  const { admission } = await wireAccess(context, { store: createRedisStateStore(redis), people: platforms.people })
  const { receiver, runs, cancellation } = wireMessageReceiver(context, { redis, destinations, admission })
  const presses = resources.add('press queue', createPressQueue({ redis, logger }), opened => opened.close())
  const recentQuestions = createRecentQuestions(redis)
  const caps = wireCaps(context, redis)
  // Nothing waits for this work, so it does not delay the acknowledgement of an event. A failure is logged.
  const later = (work: Promise<void>) => {
    work.catch((error: unknown) => logger.warn({ error: errorMessage(error) }, 'recent questions were not kept'))
  }
  const examples = await exampleQuestions(context)
  const showing = new Set(config.chat.platforms.filter(each => each.showsRecentQuestions).map(each => each.name))
  // A platform may send one mention as two events. They are handled one after the other, so that the author is not told twice.
  const told = new KeyedSequence()
  const accept = async (event: ChatInbound) => {
    if (await hasHeldLoop()) {
      const key = event.kind === 'message' ? event.message.messageId : ''
      await told
        .run(key, () => reportDroppedEvent(event, destinations, AbortSignal.timeout(MAIN_LIMITS.tellMs)))
        .catch((error: unknown) => logger.warn({ error: errorMessage(error) }, 'the author of a dropped event was not told'))
      return
    }
    if (event.kind === 'press') return presses.accept(event.press)
    if (event.kind === 'message') {
      const { outcome } = await receiver.receive(event.message)
      if (outcome === 'accepted' && showing.has(event.message.place.platform)) later(recentQuestions.remember(event.message))
      return
    }
    const { author, messageId, place } = event
    if (author !== undefined) later(recentQuestions.forget({ ...place, user: author }, messageId))
    await cancelDeletedQuestion({ runs, cancellation }, event, AbortSignal.timeout(MAIN_LIMITS.deletionMs))
  }
  // Bots accept events even if a platform refuses Clew's token for sending. So only the workers' readiness checks the token.
  const checks: Record<string, ReadinessCheck> = { redis: () => redisAnswers(redis) }
  const once = new EventDeduplicator({ store: createRedisStateStore(redis), retentionSeconds: QUEUE_LIMITS.seenMs / 1_000 })
  for (const surface of platforms.surfaces({
    server,
    once,
    recentQuestions,
    tells: { usage: caps.textFor, console: consoleLinks(context, redis) },
    examples,
  })) {
    await surface.start(accept, signal)
    resources.add(surface.name, surface, opened => opened.stop())
    checks[surface.name] = () => surface.connected()
    logger.info({ platform: surface.name }, 'connected')
  }
  return reportProcess(context, { kind: 'bots', redis }, checks)
}

/**
 * Returns questions to suggest to everybody: the verified questions of the domain pack. Returns none if there are access rules,
 * because the questions may name tables that are hidden from some people. If the pack cannot be read, bots suggest no questions,
 * while workers do not start.
 */
async function exampleQuestions({ config, logger }: WiringContext): Promise<readonly string[]> {
  if (config.domainDirectory === undefined || config.access.file !== undefined) return []
  try {
    const { verifiedQueries } = await loadDomainPack(config.domainDirectory)
    return verifiedQueries.map(({ question }) => question)
  } catch (error) {
    logger.warn({ error: errorMessage(error) }, 'no questions of the domain pack are offered')
    return []
  }
}

/** `clew bots`: receives messages from every configured chat platform until it is stopped. */
export async function botsCommand(context: CommandContext): Promise<number> {
  requireParts(context.config, ['chat', 'redis'])
  await wireSpans(context, 'clew-bots')
  return serveUntilStopped(context, (server, metrics) => startBots(context, { server, metrics }, context.signal))
}
