import { Cluster } from 'ioredis'
import { ConfigurationError, errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import type { RedisConnection } from './client.ts'

/**
 * Checks that this Redis keeps its data. Refuses a Redis that evicts keys, because it would silently drop accepted messages. In a
 * test with `allkeys-lru`, only 130 of 3,000 added jobs remained. Warns about a Redis without an append-only file, because it
 * loses accepted messages on a restart. With `requireAof`, refuses such a Redis. Also warns about a managed server that hides its
 * settings.
 * @throws ConfigurationError that names the setting to change
 */
export async function requireDurableRedis(
  redis: RedisConnection,
  options: { readonly requireAof: boolean; readonly logger: Logger },
): Promise<void> {
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis]
  for (const server of servers) checkInfo(await readInfo(server), options)
}

function checkInfo(info: ReadonlyMap<string, string>, options: { readonly requireAof: boolean; readonly logger: Logger }): void {
  const policy = info.get('maxmemory_policy')
  if (policy === undefined) {
    options.logger.warn('redis does not tell its maxmemory-policy: make sure that it is noeviction')
  } else if (policy !== 'noeviction') {
    throw new ConfigurationError(
      `The Redis of REDIS_URL evicts keys (maxmemory-policy is ${policy}), so accepted messages could vanish: set maxmemory-policy to noeviction.`,
    )
  }
  const appendOnly = info.get('aof_enabled')
  if (appendOnly === '1') return
  const found = appendOnly === undefined ? 'does not tell whether it is append-only' : 'is not append-only'
  if (options.requireAof) {
    throw new ConfigurationError(
      `The Redis of REDIS_URL ${found}, and CLEW_REQUIRE_AOF asks for it: set appendonly to yes, or CLEW_REQUIRE_AOF to 0.`,
    )
  }
  options.logger.warn(`redis ${found}: accepted messages may be lost when it restarts; set appendonly to yes`)
}

/**
 * Returns the answer to the Redis command `INFO` as a map. The map is empty if the Redis user is not allowed to run the command.
 * @throws ConfigurationError if the server is gone
 */
export async function readInfo(server: { info(): Promise<string> }): Promise<ReadonlyMap<string, string>> {
  const text = await server.info().catch((error: unknown) => {
    if (error instanceof Error && error.name === 'ReplyError') return ''
    throw new ConfigurationError(`The Redis of REDIS_URL went away during its check: ${errorMessage(error)}.`, { cause: error })
  })
  const pairs = text.split(/\r?\n/).flatMap(line => {
    const colon = line.indexOf(':')
    return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)] as const] : []
  })
  return new Map(pairs)
}
