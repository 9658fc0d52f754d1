import { setTimeout as wait } from 'node:timers/promises'
import { Cluster } from 'ioredis'
import { STORE_LIMITS } from '../limits.ts'
import type { RedisConnection } from './client.ts'
import { readInfo } from './require-durable-redis.ts'

/** `denied`: the user may not. `late`: Redis has begun, and was not done in time. */
export type WrittenAnew = 'written' | 'denied' | 'late'

const BUSY = ['aof_rewrite_in_progress', 'aof_rewrite_scheduled', 'rdb_bgsave_in_progress']

/**
 * Makes Redis write its files anew, so that they hold no bytes of what was deleted. Until then, the append-only file has every
 * old value.
 */
export async function writeFilesAnew(redis: RedisConnection, signal: AbortSignal): Promise<WrittenAnew> {
  const deadline = Date.now() + STORE_LIMITS.filesAnewMs
  for (const server of redis instanceof Cluster ? redis.nodes('master') : [redis]) {
    const isAppendOnly = (await readInfo(server)).get('aof_enabled') === '1'
    // The last, empty step only waits. A file that Redis is writing already may still get deleted values.
    for (const command of [...(isAppendOnly ? ['BGREWRITEAOF'] : []), 'BGSAVE', '']) {
      for (let info = await readInfo(server); BUSY.some(name => info.get(name) === '1'); info = await readInfo(server)) {
        if (Date.now() > deadline) return 'late'
        await wait(STORE_LIMITS.filesPollMs, undefined, { signal })
      }
      const refused = command !== '' && (await server.call(command).catch((error: unknown) => error))
      if (refused instanceof Error) return 'denied'
    }
  }
  return 'written'
}
