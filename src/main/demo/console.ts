import type { Analyst } from '../../agent/analyst.ts'
import { DAY_MS } from '../../base/durations.ts'
import type { RunList } from '../../console/run-list.ts'
import { createQueueWorker } from '../../queue/queue-worker.ts'
import type { Caps } from '../../queue/usage/caps.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import type { HealthServer } from '../../telemetry/health-server.ts'
import { wireAnswering } from '../answering.ts'
import type { ChatPlatforms } from '../chat-platforms.ts'
import { consoleUrl, wireSessions } from '../console.ts'
import { MAIN_LIMITS } from '../limits.ts'
import type { OpenedParts } from '../parts.ts'
import { startServing } from '../serve.ts'
import type { WiringContext } from '../store.ts'
import { TERMINAL_PERSON } from '../terminal-person.ts'

interface DemoConsoleParts {
  readonly server: HealthServer
  readonly redis: RedisClient
  readonly caps: Caps
  readonly analyst: Pick<Analyst, 'ask'>
  readonly list: RunList
  readonly opened: OpenedParts
  /** Questions to suggest. */
  readonly examples: readonly string[]
}

const NO_PLATFORMS: ChatPlatforms = { surfaces: () => [], destinations: {}, people: {} }
/** The link serves as long as a demo runs, and longer than any. */
const LINK_MS = 30 * DAY_MS

/**
 * Serves the console of the demo, with a worker in this process, because one process alone may open the embedded engine.
 * @returns a link that signs in
 */
export async function startDemoConsole(
  context: WiringContext & { readonly signal: AbortSignal },
  { server, redis, caps, analyst, list, opened, examples }: DemoConsoleParts,
): Promise<string> {
  const { config, signal, resources } = context
  const given = { warehouse: opened.warehouse, analyst, list, caps }
  const { message } = await wireAnswering(context, { platforms: NO_PLATFORMS, redis, given }, signal)
  const worker = createQueueWorker({ ...message, concurrency: config.workerConcurrency })
  resources.add('queue worker', worker, opened => opened.close(0), MAIN_LIMITS.answerStopMs)
  await worker.start()
  await startServing(context, { server }, {}, { opened: async () => opened, caps, examples })
  const who = { person: TERMINAL_PERSON, role: null, lifeMs: LINK_MS }
  return wireSessions(context, redis).createLink(consoleUrl(config), who, signal, LINK_MS)
}
