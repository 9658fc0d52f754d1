import { setTimeout as wait } from 'node:timers/promises'
import { Cluster } from 'ioredis'
import { STORE_LIMITS } from '../limits.ts'
import type { RedisConnection } from './client.ts'
import { readInfo } from './require-durable-redis.ts'

/** `denied`: the user may not. `late`: Redis has begun, and was not done in time. */
export type WrittenAnew = 'written' | 'denied' | 'late'

const isBusy = (info: ReadonlyMap<string, string>) =>
  ['aof_rewrite_in_progress', 'aof_rewrite_scheduled', 'rdb_bgsave_in_progress'].some(name => info.get(name) === '1')

/**
 * Makes Redis write its files anew, so that they hold no bytes of what was deleted. Until then, the append-only file has every
 * old value.
 * @throws StoreError, or the signal's reason
 */
export async function writeFilesAnew(redis: RedisConnection, signal: AbortSignal): Promise<WrittenAnew> {
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis]
  for (const server of servers) {
    const untilIdle = async () => {
      const deadline = Date.now() + STORE_LIMITS.filesAnewMs
      while (isBusy(await readInfo(server))) {
        if (Date.now() > deadline) return false
        await wait(STORE_LIMITS.filesPollMs, undefined, { signal })
      }
      return true
    }
    const info = await readInfo(server)
    if (info.size === 0) return 'denied'
    for (const command of info.get('aof_enabled') === '1' ? ['BGREWRITEAOF', 'BGSAVE'] : ['BGSAVE']) {
      // A file that Redis is writing already may still get deleted values.
      if (!(await untilIdle())) return 'late'
      const isAllowed = await server.call(command).then(
        () => true,
        () => false,
      )
      if (!isAllowed) return 'denied'
      if (!(await untilIdle())) return 'late'
    }
  }
  return 'written'
}
