import { newRunId } from './agent/run-id.ts'
import type { ChatInbound, ChatMessage } from './bots/chat-event.ts'
import type { CommandContext } from './commands/command-context.ts'
import { serveUntilStopped } from './commands/serve-until-stopped.ts'
import { guardDestinations, wireChatPlatforms } from './main-chat-platforms.ts'
import { type WiringContext, wireRedis } from './main-parts.ts'
import { createAcceptor } from './queue/acceptor.ts'
import { createDrainQueue } from './queue/drain-queue.ts'
import { KeyedSequence } from './queue/keyed-sequence.ts'
import { createPlaceholders } from './queue/placeholder.ts'
import { threadName } from './queue/thread-keys.ts'
import type { HealthServer, ReadinessCheck } from './telemetry/health-server.ts'

/**
 * Starts the connections to every configured chat platform: a message is written to Redis, acknowledged, and gets its placeholder.
 * @param server where a platform that sends its events over HTTP is served
 * @returns what tells whether they stand
 */
export async function startBots(
  context: WiringContext,
  server: HealthServer,
  signal: AbortSignal,
): Promise<Record<string, ReadinessCheck>> {
  const { logger, resources } = context
  const platforms = wireChatPlatforms(context)
  const redis = await wireRedis(context, 'producer')
  const guarded = guardDestinations(platforms, { redis, logger })
  const queue = resources.add('drain queue', createDrainQueue({ redis, logger }), opened => opened.close())
  const acceptor = createAcceptor({ redis, queue, newRunId, now: Date.now, logger })
  const showing = new Set<Promise<void>>()
  const placeholders = resources.add(
    'placeholders',
    createPlaceholders({ redis, destinations: guarded.destinations, now: Date.now, logger }),
    async opened => {
      await Promise.allSettled(showing)
      await opened.close()
    },
  )
  // Events of a thread are accepted in the order of their arrival, so that a reply does not overtake the message that it replies to.
  const threads = new KeyedSequence()
  const acceptMessage = async (message: ChatMessage) => {
    const acceptance = await threads.run(threadName(message.place), () => acceptor.accept(message))
    if (acceptance.outcome !== 'accepted') return
    // Not waited for: the platform is acknowledged as soon as the message is safe.
    const shown = placeholders
      .show(acceptance.accepted, AbortSignal.timeout(PLACEHOLDER_TIMEOUT_MS))
      .finally(() => showing.delete(shown))
    showing.add(shown)
  }
  const accept = async (event: ChatInbound) => {
    if (event.kind === 'message') await acceptMessage(event.message)
  }
  const checks: Record<string, ReadinessCheck> = { ...guarded.checks, redis: () => redis.status === 'ready' }
  for (const surface of platforms.surfaces(server)) {
    await surface.start(accept, signal)
    resources.add(surface.name, surface, opened => opened.stop())
    checks[surface.name] = () => surface.connected()
    logger.info({ platform: surface.name }, 'connected')
  }
  return checks
}

/** Long enough for one post with its retries; a worker shows the placeholder after that. */
const PLACEHOLDER_TIMEOUT_MS = 20_000

/** `clew bots`: every surface whose variables are set, until stopped. */
export async function botsCommand(context: CommandContext): Promise<number> {
  return serveUntilStopped(context, server => startBots(context, server, context.signal))
}
