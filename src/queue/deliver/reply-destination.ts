import type { ChatOutbox } from '../../chat/platform.ts'
import type { Delivery, DeliveryOrder } from './delivery.ts'

/** Where the replies to messages go: to a chat platform, which posts and edits them, or to whoever reads them from Redis. */
export interface ReplyDestination extends Pick<ChatOutbox, 'personOf'> {
  /** Whether it can still tell that a message was given up. A chat cannot, because there the telling is what failed. */
  readonly tellsGivenUp?: boolean
  deliver(order: DeliveryOrder): Delivery
}
