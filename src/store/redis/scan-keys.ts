import { Cluster } from 'ioredis'
import { callRedis } from './call-redis.ts'
import type { RedisConnection } from './client.ts'

/**
 * Yields all keys that match a pattern, page by page. A key may come twice.
 * @throws StoreError
 */
export async function* scanKeys(redis: RedisConnection, pattern: string, signal: AbortSignal): AsyncIterable<readonly string[]> {
  for (const server of redis instanceof Cluster ? redis.nodes('master') : [redis]) {
    for (let cursor = '0'; ; ) {
      signal.throwIfAborted()
      const [next, keys] = await callRedis(server.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000), signal)
      yield keys
      if (next === '0') break
      cursor = next
    }
  }
}
