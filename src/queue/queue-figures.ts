import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import type { QueueFigures } from '../telemetry/metrics.ts'
import { DRAIN_PREFIX, DRAIN_QUEUE } from './drain-queue.ts'
import { FIGURES_LIMITS } from './limits.ts'
import { DEAD_LETTERS, THREAD_INDEX, threadKeys } from './thread-keys.ts'

/**
 * Counts what waits in the queue, the messages that a worker answers now too. Looks at a limited number of threads, those first
 * that have got no further message for the longest time.
 * @param now Unix time in milliseconds
 * @throws StoreError
 */
export async function queueFigures(redis: RedisClient, now: number): Promise<QueueFigures> {
  const signal = AbortSignal.timeout(FIGURES_LIMITS.readMs)
  const pendingOf = (thread: string) =>
    redis.zrange(threadKeys(thread).pending, '0', `${FIGURES_LIMITS.messages - 1}`, 'WITHSCORES')
  const threads = await callRedis(redis.zrange(THREAD_INDEX, '0', `${FIGURES_LIMITS.threads - 1}`), signal)
  const jobs = `${DRAIN_PREFIX}:${DRAIN_QUEUE}`
  const running = await callRedis(redis.llen(`${jobs}:active`), signal)
  const delayed = await callRedis(redis.zcard(`${jobs}:delayed`), signal)
  const deadLetters = await callRedis(redis.zcard(DEAD_LETTERS), signal)
  const pending = await callRedis(Promise.all(threads.map(pendingOf)), signal)
  const waiting = pending.filter(({ length }) => length > 0)
  // The score of a message is its time in microseconds.
  const oldest = Math.min(...waiting.map(([, order]) => Number(order) / 1000))
  return {
    threads: waiting.length,
    messages: waiting.reduce((sum, { length }) => sum + length / 2, 0),
    oldestSeconds: waiting.length === 0 ? 0 : Math.max(0, (now - oldest) / 1000),
    running,
    delayed,
    deadLetters,
  }
}
