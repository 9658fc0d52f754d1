import { homedir } from 'node:os'
import { join } from 'node:path'
import type { UntilRecorded } from '../audit/recorded-analyst.ts'
import type { Breakers } from '../base/breaker.ts'
import type { Resources } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import type { FeedbackStore } from '../bots/actions/feedback.ts'
import { Proposals } from '../bots/actions/proposals.ts'
import { createFeedbackStore } from '../bots/actions/state-feedback-store.ts'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { closeRedis, connectRedis, type RedisRole } from '../store/redis/connection.ts'
import { createRedisStateStore } from '../store/redis/state-store.ts'
import { checkStateKey, keptStateKey } from '../store/state-key.ts'
import type { StateStore } from '../store/state-store.ts'
import { checkStateVersion } from '../store/state-version.ts'
import type { Observe, Observers } from '../telemetry/observation.ts'
import type { Config } from './config.ts'
import { notConfigured } from './required-parts.ts'

export interface WiringContext {
  readonly config: Config
  readonly logger: Logger
  /** Every opened resource is added here. Whoever created `resources` closes them. */
  readonly resources: Resources
  /** Shows a sentence to the person at the terminal. Absent if there is no terminal. */
  readonly tell?: (sentence: string) => void
  /** Those who watch the work of this process. Absent if nobody does. */
  readonly observers?: Observers
  /** Called before an answer is shown. Absent if answers do not wait for the audit log. */
  readonly recorded?: UntilRecorded
  /** The breakers of this process are added here. Absent if nobody reads them. */
  readonly breakers?: Breakers
}

/** Returns the part that parts report to. Empty if nobody watches the work of this process. */
export function observing({ observers }: Pick<WiringContext, 'observers'>): { readonly observe?: Observe } {
  return observers === undefined ? {} : { observe: observers.observe }
}

/**
 * Connects to REDIS_URL and checks that this Redis does not lose accepted messages.
 * @throws ConfigurationError if REDIS_URL is not set, its password is wrong, or the server is unsuitable; StoreError
 * `unavailable` if nothing answers; the signal's reason
 */
export async function wireRedis(
  { config, logger, resources }: WiringContext,
  role: RedisRole,
  signal: AbortSignal,
): Promise<RedisClient> {
  const { url, requireAppendOnly } = config.redis
  if (url === undefined) throw notConfigured(config, 'redis')
  const stateKey = config.redis.stateKey ?? (await keptStateKey(join(homedir(), '.clew', 'state-key')))
  const redis = await connectRedis({ url, role, requireAof: requireAppendOnly, stateKey, logger, signal })
  try {
    await checkStateVersion(redis)
    await checkStateKey(redis)
  } catch (error) {
    redis.disconnect()
    throw error
  }
  return resources.add(`redis (${role})`, redis, closeRedis)
}

/**
 * Opens the store of conversations and traces: in Redis if REDIS_URL is set, otherwise in memory.
 * @throws the errors of `wireRedis`
 */
export async function openStateStore(context: WiringContext & { readonly signal: AbortSignal }): Promise<StateStore> {
  return storeIn(await openRedis(context))
}

/** Connects to Redis if REDIS_URL is set. @throws the errors of `wireRedis` */
export async function openRedis(context: WiringContext & { readonly signal: AbortSignal }): Promise<RedisClient | undefined> {
  return context.config.redis.url === undefined ? undefined : wireRedis(context, 'worker', context.signal)
}

/** Returns the store in a Redis. Without one, a store in memory. */
export function storeIn(redis: RedisClient | undefined): StateStore {
  return redis === undefined ? createMemoryStateStore({ now: Date.now }) : createRedisStateStore(redis)
}

/** Wires what people propose as verified queries. */
export function wireProposals(context: Pick<WiringContext, 'config'>, store: StateStore): Proposals {
  const { feedback: retentionSeconds } = context.config.retention
  return new Proposals({ feedback: wireFeedback(context, store), store, retentionSeconds })
}

export function wireFeedback({ config }: Pick<WiringContext, 'config'>, store: StateStore): FeedbackStore {
  return createFeedbackStore({ store, retentionSeconds: config.retention.feedback, now: Date.now })
}
