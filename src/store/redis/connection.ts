import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { doneWithin } from '../../base/done-within.ts'
import { ConfigurationError, errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { abortable } from '../abortable.ts'
import { STORE_LIMITS } from '../limits.ts'
import type { StateKey } from '../signed-text.ts'
import { isAuthenticationReply, isReadOnlyReply, StoreError } from '../store-error.ts'
import type { RedisClient, RedisConnection } from './client.ts'
import { requireDurableRedis } from './require-durable-redis.ts'
import { describeRedis, parseRedisUrl, type RedisAddress } from './url.ts'

/**
 * The role decides what happens if Redis cannot be reached. A `producer` must refuse a chat event within the platform's 3 s, so
 * that the platform sends the event again. A `worker` waits for Redis and continues.
 */
export type RedisRole = 'producer' | 'worker'

export interface RedisConnectionOptions {
  /** The URL of Redis. `RedisAddress` lists its forms. */
  readonly url: string
  readonly role: RedisRole
  readonly logger: Logger
  /** Refuses a Redis without append-only file. By default, such a Redis causes only a warning. */
  readonly requireAof?: boolean
  /** How long to wait for a Redis that is still starting. */
  readonly startTimeoutMs?: number
  /** Aborts the wait for a Redis that is still starting. */
  readonly signal?: AbortSignal
}

/**
 * A connection without an answer for this long is treated as lost: the server hangs or has vanished. The operating system would
 * notice only after 15 minutes. The limit of a worker must exceed the blocking waits of its queues, at most 10 s (BullMQ,
 * `maximumBlockTimeout`). The limit of a producer must exceed the timeout of its commands.
 */
const SILENCE_MS = { worker: 12_000, producer: 5_000 } as const satisfies Record<RedisRole, number>

/**
 * Opens a connection and waits until Redis answers. Checks that this Redis may hold accepted messages (see requireDurableRedis).
 * The connection reconnects by itself. The caller closes it with `closeRedis`.
 * @throws ConfigurationError for a wrong password or an unsuitable server; StoreError `unavailable` if nothing answers
 */
export async function connectRedis(options: RedisConnectionOptions & { readonly stateKey: StateKey }): Promise<RedisClient> {
  const redis = await connectUncheckedRedis(options)
  try {
    const checking = requireDurableRedis(redis, { requireAof: options.requireAof ?? false, logger: options.logger })
    await (options.signal === undefined ? checking : abortable(checking, options.signal))
    return Object.assign(redis, { stateKey: options.stateKey })
  } catch (error) {
    redis.disconnect()
    throw error
  }
}

/**
 * Opens a connection without checks, and waits until Redis answers.
 * @throws the errors of connectRedis
 */
export async function connectUncheckedRedis(options: Omit<RedisConnectionOptions, 'requireAof'>): Promise<RedisConnection> {
  const address = parseRedisUrl(options.url)
  const redis = endsWhenClosed(openRedis(address, options.role))
  reportOutages(redis, describeRedis(address), options.logger)
  try {
    await waitUntilReady(redis, address, options)
    return redis
  } catch (error) {
    redis.disconnect()
    throw error
  }
}

/**
 * Whether Redis answers a write now. A full Redis, or one whose disk is full, still answers reads. False at once while the
 * connection is reconnecting.
 */
export async function redisAnswers(redis: RedisConnection): Promise<boolean> {
  if (redis.status !== 'ready') return false
  const written = redis.set('clew:ready', '', 'PX', STORE_LIMITS.connection.readyMs)
  return doneWithin(STORE_LIMITS.connection.readyMs, written).catch(() => false)
}

/**
 * Closes a connection after its commands were answered. Does not wait for a Redis that cannot be reached, and waits only briefly
 * for one that does not answer.
 */
export async function closeRedis(redis: RedisConnection): Promise<void> {
  if (redis.status === 'end') return
  if (redis.status !== 'ready') return redis.disconnect()
  const isAnswered = await doneWithin(STORE_LIMITS.connection.quitMs, redis.quit()).catch(() => false)
  if (!isAnswered) redis.disconnect()
}

function openRedis(address: RedisAddress, role: RedisRole): RedisConnection {
  const shared = {
    lazyConnect: true,
    // After a disconnect, the driver waits this long, even if the socket is closed already. A longer time would delay the end of
    // the process.
    disconnectTimeout: 200,
    socketTimeout: SILENCE_MS[role],
    username: address.username,
    password: address.password,
    ...(address.tls ? { tls: {} } : {}),
    reconnectOnError: error => (isReadOnlyReply(error) ? 2 : false),
    ...(role === 'producer'
      ? { maxRetriesPerRequest: 0, commandTimeout: STORE_LIMITS.connection.producerCommandMs }
      : { maxRetriesPerRequest: null }),
  } satisfies RedisOptions
  const enableOfflineQueue = role === 'worker'
  if (address.kind === 'cluster') {
    return new Cluster([...address.hosts], {
      lazyConnect: true,
      enableOfflineQueue,
      clusterRetryStrategy: reconnectDelay,
      redisOptions: shared,
      // The TLS certificate contains the host's name. So the driver must connect by name and not by IP address.
      ...(address.tls ? { dnsLookup: (host, done) => done(null, host) } : {}),
    })
  }
  const single = { ...shared, enableOfflineQueue, retryStrategy: reconnectDelay, db: address.database } satisfies RedisOptions
  if (address.sentinel !== undefined) {
    return new Redis({
      ...single,
      sentinels: [...address.hosts],
      name: address.sentinel.name,
      sentinelUsername: address.sentinel.username,
      sentinelPassword: address.sentinel.password,
      sentinelRetryStrategy: reconnectDelay,
      enableTLSForSentinelMode: address.tls,
    })
  }
  if (address.socketPath !== undefined) return new Redis({ ...single, path: address.socketPath })
  return new Redis({ ...single, ...address.hosts[0] })
}

function reconnectDelay(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 10), STORE_LIMITS.connection.reconnectMs) * (0.75 + Math.random() / 2)
}

/** Logs one line when the connection is lost and one when it is back. Attempts in between are not logged. */
function reportOutages(redis: RedisConnection, address: string, logger: Logger): void {
  let lostAt: number | undefined
  redis.on('error', error => {
    if (lostAt !== undefined) return
    lostAt = Date.now()
    logger.warn({ redis: address, error: errorMessage(error) }, 'redis connection lost')
  })
  redis.on('ready', () => {
    if (lostAt !== undefined) logger.info({ redis: address, awayMs: Date.now() - lostAt }, 'redis connection restored')
    lostAt = undefined
  })
}

async function waitUntilReady(
  redis: RedisConnection,
  address: RedisAddress,
  { startTimeoutMs = STORE_LIMITS.connection.startMs, signal }: Pick<RedisConnectionOptions, 'startTimeoutMs' | 'signal'>,
): Promise<void> {
  let lastError: unknown
  let timer: NodeJS.Timeout | undefined
  const where = `REDIS_URL (${describeRedis(address)})`
  const ready = new Promise<void>((resolve, reject) => {
    redis.on('ready', resolve)
    redis.on('error', error => {
      lastError = error
      if (isAuthenticationReply(error)) {
        reject(new ConfigurationError(`${where} refuses the user or password: correct it in REDIS_URL.`, { cause: error }))
      }
    })
    timer = setTimeout(() => {
      const reason = lastError === undefined ? 'it does not answer' : errorMessage(lastError)
      // This is not a ConfigurationError, because Redis may answer a minute later without any change.
      const message = `${where} cannot be used: ${reason}. Is Redis running there?`
      reject(new StoreError(message, { kind: 'unavailable', cause: lastError }))
    }, startTimeoutMs)
  })
  try {
    redis.connect().catch(error => {
      lastError ??= error
    })
    await (signal === undefined ? ready : abortable(ready, signal))
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Wraps a connection, so that it and its copies end properly even if they are closed between two connection attempts. Without
 * this, the driver (ioredis 6.0.0) only drops the next attempt: it emits no `end` and rejects no commands. Callers that wait for
 * the end, such as closing BullMQ workers, would then wait forever.
 */
function endsWhenClosed<Client extends RedisConnection>(redis: Client): Client {
  const { disconnect, duplicate } = redis
  return Object.assign(redis, {
    disconnect(reconnect = false): void {
      // This status makes the driver end the connection at once, as if it had never tried to connect.
      if (!reconnect && redis.status === 'reconnecting') redis.status = 'wait'
      disconnect.call(redis, reconnect)
    },
    duplicate: (...given: unknown[]): RedisConnection => endsWhenClosed(Reflect.apply(duplicate, redis, given)),
  })
}
