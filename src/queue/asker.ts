import type { ChatPlace } from '../chat/event.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { storeError } from '../store/store-error.ts'
import { readAccepted } from './accept/accepted-message.ts'
import { threadKeys } from './thread-keys.ts'

/** One name for each person, the same in all processes. */
export function askerName({ platform, workspace }: Pick<ChatPlace, 'platform' | 'workspace'>, user: string): string {
  return [platform, workspace, user].map(encodeURIComponent).join('/')
}

/** The author of a thread's next message; undefined for an empty thread. An unreadable message counts as the thread's own. @throws StoreError */
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
