import { createHmac } from 'node:crypto'
import type { ChatMessage, ChatPlace } from '../bots/chat-event.ts'
import type { StateKey } from '../store/signed-text.ts'

/** What tells a message from all others: its thread is not needed for that. */
export type MessageAddress = Pick<ChatMessage, 'messageId'> & {
  readonly place: Pick<ChatPlace, 'platform' | 'workspace' | 'channel'>
}

/**
 * The id of the run that answers a message: the same however often and wherever the message is accepted, so that it can be found again when the message is
 * deleted; without the key nobody can tell it from the address. `run_` and 16 hexadecimal digits, as `newRunId` makes them.
 */
export function runIdOfMessage(key: StateKey, { place, messageId }: MessageAddress): string {
  const address = JSON.stringify([place.platform, place.workspace, place.channel, messageId])
  return `run_${createHmac('sha256', key).update(address).digest('hex').slice(0, 16)}`
}
