import type { ChatPlace } from '../chat/event.ts'
import type { AcceptedMessage } from '../queue/accept/accepted-message.ts'
import { threadName } from '../queue/thread-keys.ts'
import { abortable } from '../store/abortable.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { redisScript, runScript } from '../store/redis/script.ts'
import { HTTP_LIMITS } from './limits.ts'

const NOTE = redisScript(`
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
`)

/**
 * Adds a turn to the list of its thread.
 * @throws StoreError
 */
export async function noteTurn(
  redis: RedisClient,
  { message, runId }: AcceptedMessage,
  retentionMs: number,
  signal: AbortSignal,
): Promise<void> {
  const values = [message.order, runId, HTTP_LIMITS.turnsOfThread, retentionMs]
  await abortable(runScript(redis, NOTE, [keyOf(message.place)], values), signal)
}

/**
 * Takes a turn out of the list of its thread.
 * @throws StoreError
 */
export async function forgetTurn(redis: RedisClient, { message, runId }: AcceptedMessage, signal: AbortSignal): Promise<void> {
  await abortable(callRedis(redis.zrem(keyOf(message.place), runId), signal), signal)
}

/**
 * Returns the ids of a thread's latest turns, in order.
 * @throws StoreError
 */
export async function listTurns(redis: RedisClient, place: ChatPlace, signal: AbortSignal): Promise<readonly string[]> {
  return callRedis(redis.zrange(keyOf(place), '0', '-1'), signal)
}

function keyOf(place: ChatPlace): string {
  return `clew:{${threadName(place)}}:turn-ids`
}
