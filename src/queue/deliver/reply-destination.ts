import type { ChatOutbox } from '../../chat/platform.ts'
import type { Language } from '../../words/language.ts'
import type { AcceptedMessage } from '../accept/accepted-message.ts'
import type { Delivery } from './delivery.ts'
import type { RunLedger } from './run-ledger.ts'

/** One message, and what its delivery needs. */
export interface DeliveryOrder {
  readonly accepted: AcceptedMessage
  readonly language: () => Language
  readonly ledger: RunLedger
}

/** Where the replies to messages go: to a chat platform, which posts and edits them, or to whoever reads them from Redis. */
export interface ReplyDestination extends Pick<ChatOutbox, 'personOf'> {
  deliver(order: DeliveryOrder): Delivery
}
