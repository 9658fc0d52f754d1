import type { ChatPlace } from '../bots/chat-event.ts'
import type { RedisClient } from '../store/redis-client.ts'
import { storeError } from '../store/store-error.ts'
import { readAccepted } from './accepted-message.ts'
import { threadKeys } from './thread-keys.ts'

/** Whoever asks or presses: one name for each person, over all processes. */
export function askerName({ platform, workspace }: Pick<ChatPlace, 'platform' | 'workspace'>, user: string): string {
  return [platform, workspace, user].map(encodeURIComponent).join('/')
}

/** Who wrote the message that a thread answers next; undefined for an empty thread. A message that cannot be read is the thread's own. @throws StoreError */
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
