import type { RedisClient } from '../../store/redis/client.ts'
import { redisScript, runScript } from '../../store/redis/script.ts'
import { storeError } from '../../store/store-error.ts'
import { askerOfHead } from '../asker.ts'
import type { DrainQueue } from '../drain-queue.ts'
import { QUEUE_LIMITS } from '../limits.ts'
import { THREAD_INDEX } from '../thread-keys.ts'

// The thread stays if its time in the index is recent, because a message may be about to be written to it.
const FORGET_THREAD = redisScript(`
  local time = redis.call('TIME')
  local touched = redis.call('ZSCORE', KEYS[1], ARGV[1])
  if touched and time[1] * 1000 - tonumber(touched) > tonumber(ARGV[2]) then redis.call('ZREM', KEYS[1], ARGV[1]) end
`)

/**
 * Wakes every thread with messages, so that a message is answered even if its job is lost. Threads that stay empty leave the
 * index.
 * @throws StoreError
 */
export async function sweepThreads(deps: { readonly redis: RedisClient; readonly queue: DrainQueue }): Promise<void> {
  const { redis } = deps
  const [threads, [seconds]] = await inRedis(Promise.all([redis.zrange(THREAD_INDEX, '0', '-1', 'WITHSCORES'), redis.time()]))
  for (let at = 0; at < threads.length; at += 2) {
    const [thread = '', touched] = threads.slice(at, at + 2)
    const asker = await askerOfHead(redis, thread)
    if (asker !== undefined) await deps.queue.wake(thread, { asker, afterActive: false })
    else if (1000 * Number(seconds) - Number(touched) > QUEUE_LIMITS.indexMs)
      await runScript(redis, FORGET_THREAD, [THREAD_INDEX], [thread, QUEUE_LIMITS.indexMs])
  }
}

function inRedis<Value>(work: Promise<Value>): Promise<Value> {
  return work.catch((error: unknown) => {
    throw storeError(error)
  })
}
