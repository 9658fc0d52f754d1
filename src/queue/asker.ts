import type { ChatPlace } from '../chat/event.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { storeError } from '../store/store-error.ts'
import { readAccepted } from './accept/accepted-message.ts'
import { threadKeys } from './thread-keys.ts'

/**
 * Returns the name that identifies a person when people take turns and when uses are limited. It is unique over all platforms,
 * and all processes make the same name. A person of Discord has the same name in all servers and in direct messages, and so only
 * one share.
 */
export function askerName({ platform }: Pick<ChatPlace, 'platform'>, user: string): string {
  return [platform, user].map(encodeURIComponent).join('/')
}

/**
 * Returns the name of the person who wrote a thread's next message. Undefined if the thread is empty. If the message cannot be
 * read, returns the thread's name instead.
 * @throws StoreError
 */
export async function askerOfHead(redis: RedisClient, thread: string): Promise<string | undefined> {
  const { pending, messages } = threadKeys(thread)
  try {
    const [id] = await redis.zrange(pending, '0', '0')
    if (id === undefined) return undefined
    const accepted = readAccepted(redis.stateKey, thread, (await redis.hget(messages, id)) ?? '')
    return accepted === undefined ? thread : askerName(accepted.message.place, accepted.message.author)
  } catch (error) {
    throw storeError(error)
  }
}
