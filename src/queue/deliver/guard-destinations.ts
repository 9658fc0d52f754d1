import type { Breakers } from '../../base/breaker.ts'
import type { Logger } from '../../base/logger.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import type { Observe } from '../../telemetry/observation.ts'
import { createChannelRateLimit } from './channel-rate-limit.ts'
import { chatBreaker } from './chat-breaker.ts'
import type { ChatDestination } from './chat-destination.ts'
import { guardOutbox } from './guarded-outbox.ts'
import { createOutageLog } from './outage-log.ts'
import { TokenGate } from './token-gate.ts'
import { createTokenRateLimit } from './token-rate-limit.ts'

type Destinations = Readonly<Record<string, ChatDestination>>

/**
 * Wraps each platform's outbox with `guardOutbox`. All threads of this process share the same guards.
 * @returns the wrapped outboxes, and for each platform a readiness check that tells whether the platform accepts our token
 */
export function guardDestinations(
  destinations: Destinations,
  deps: {
    readonly redis: RedisClient
    readonly logger: Logger
    readonly now: () => number
    readonly observe?: Observe | undefined
    /** The breakers of the platforms are added here. */
    readonly breakers?: Breakers | undefined
  },
): { readonly destinations: Destinations; readonly checks: Record<string, () => boolean> } {
  const { redis, logger, now, observe, breakers } = deps
  const guarded = Object.entries(destinations).map(([platform, destination]) => {
    const gate = new TokenGate({ platform, now, logger })
    const { requestsPerSecond: perSecond, postIntervalMs: intervalMs } = destination
    const channelRateLimit = intervalMs === undefined ? undefined : createChannelRateLimit(redis, { intervalMs })
    const breaker = chatBreaker(platform)
    breakers?.add(breaker)
    const outbox = guardOutbox(destination.outbox, {
      ...{ platform, observe, now, breaker },
      gate,
      outages: createOutageLog({ platform, now, logger }),
      ...(perSecond === undefined ? {} : { tokenRateLimit: createTokenRateLimit(redis, { platform, perSecond }) }),
      channelRateLimit,
    })
    return { platform, gate, destination: { ...destination, outbox, untilTurn: channelRateLimit?.untilTurn } }
  })
  return {
    destinations: Object.fromEntries(guarded.map(({ platform, destination }) => [platform, destination])),
    checks: Object.fromEntries(guarded.map(({ platform, gate }) => [`${platform} token`, () => gate.isOpen()])),
  }
}
