import { createHmac } from 'node:crypto'
import type { ChatMessage, ChatPlace } from '../../chat/event.ts'
import type { StateKey } from '../../store/signed-text.ts'

/** The fields that identify a message. A message id is unique in its channel, so the thread is not needed. */
export type MessageAddress = Pick<ChatMessage, 'messageId'> & {
  readonly place: Pick<ChatPlace, 'platform' | 'workspace' | 'channel'>
}

/**
 * The id of the run that answers a message: `run_` and 16 hexadecimal digits, as in `newRunId`. All deliveries of a message, and
 * its deletion, give the same id. Only holders of the key can compute the id.
 */
export function runIdOfMessage(key: StateKey, { place, messageId }: MessageAddress): string {
  const address = JSON.stringify([place.platform, place.workspace, place.channel, messageId])
  return `run_${createHmac('sha256', key).update(address).digest('hex').slice(0, 16)}`
}
