import type { QueueBase } from 'bullmq'
import type { RedisClient } from '../store/redis/client.ts'
import { redisScript, runScript } from '../store/redis/script.ts'
import { QUEUE_LIMITS } from './limits.ts'

/**
 * BullMQ's largest priority number. Real priorities stay far below it, because they start again at 1 whenever the queue is empty.
 */
const LAST = 2_097_151

// Fair queueing. Each job takes one unit of a common clock. An asker's next job takes the unit after that asker's previous job,
// or the current unit if that is later. For example, three jobs of Ann get the priorities 1, 2 and 3, and then the first job of
// Bob gets 1. An empty queue resets the clock.
const NEXT = redisScript(`
  local clock, prioritized, known = KEYS[1], KEYS[2], KEYS[3]
  local asker, counts, last, kept_ms = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
  if redis.call('ZCARD', prioritized) == 0 then redis.call('DEL', clock) end
  local now = tonumber(redis.call('HGET', clock, '') or '0')
  if counts == '0' and redis.call('EXISTS', known) == 1 then return math.min(now + 1, last) end
  local start = math.max(now, tonumber(redis.call('HGET', clock, asker) or '0'))
  redis.call('HSET', clock, asker, start + 1)
  redis.call('PEXPIRE', clock, kept_ms)
  return math.min(start + 1, last)
`)

const BEGAN = redisScript(`
  local start = tonumber(ARGV[1]) - 1
  if start > tonumber(redis.call('HGET', KEYS[1], '') or '0') then
    redis.call('HSET', KEYS[1], '', start)
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  end
`)

/**
 * Returns the priority for a new job, so that askers take turns.
 * @param job `id` is the job's deduplication id. If `counts` is false and a job with this id is already queued, the new job uses
 * no turn.
 * @throws StoreError
 */
export async function fairPriority(
  redis: RedisClient,
  queue: QueueBase,
  asker: string,
  job: { readonly id: string; readonly counts: boolean },
): Promise<number> {
  const keys = [queue.toKey('turns'), queue.toKey('prioritized'), queue.toKey(`de:${job.id}`)]
  return Number(await runScript(redis, NEXT, keys, [asker, job.counts ? 1 : 0, LAST, QUEUE_LIMITS.turnsKeptMs]))
}

/**
 * Records that a job of this priority has started. Jobs that are queued later get this priority number or a higher one. So a new
 * asker does not overtake jobs that have waited longer.
 * @throws StoreError
 */
export async function jobBegan(redis: RedisClient, queue: QueueBase, priority: number): Promise<void> {
  await runScript(redis, BEGAN, [queue.toKey('turns')], [priority, QUEUE_LIMITS.turnsKeptMs])
}
