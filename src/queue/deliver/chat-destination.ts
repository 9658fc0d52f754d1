import type { ChatOutbox } from '../../chat/platform.ts'
import type { ChannelRateLimit } from './channel-rate-limit.ts'

export interface ChatDestination {
  readonly outbox: ChatOutbox
  /**
   * The maximum number of progress edits per minute in a workspace. It is below the platform's limit, which leaves the other
   * edits for answers.
   */
  readonly progressEditsPerMinute: number
  /** The maximum number of new streams and of appends, per minute in a workspace. Absent: no streams. */
  readonly streams?: { readonly startsPerMinute: number; readonly appendsPerMinute: number }
  /** All processes together make at most this many requests per second. Absent: no limit. */
  readonly requestsPerSecond?: number
  /** The shortest time between two posts in one channel after the platform has refused a post. Absent: no limit. */
  readonly postIntervalMs?: number
  /** Waits until the channel may get another post, as in `ChannelRateLimit`. Absent: posts never wait. */
  readonly untilTurn?: ChannelRateLimit['untilTurn']
}
