import { createHmac } from 'node:crypto'
import type { ChatMessage, ChatPlace } from '../../chat/event.ts'
import type { StateKey } from '../../store/signed-text.ts'

/** Identifies a message without its thread. */
export type MessageAddress = Pick<ChatMessage, 'messageId'> & {
  readonly place: Pick<ChatPlace, 'platform' | 'workspace' | 'channel'>
}

/**
 * The id of the run that answers a message: `run_` and 16 hexadecimal digits, as `newRunId` makes them. It is the same for each
 * delivery, so that a deletion finds it. Only holders of the key can derive it.
 */
export function runIdOfMessage(key: StateKey, { place, messageId }: MessageAddress): string {
  const address = JSON.stringify([place.platform, place.workspace, place.channel, messageId])
  return `run_${createHmac('sha256', key).update(address).digest('hex').slice(0, 16)}`
}
