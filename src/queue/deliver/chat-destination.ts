import type { ChatOutbox } from '../../chat/platform.ts'
import type { ChannelRateLimit } from './channel-rate-limit.ts'

export interface ChatDestination {
  readonly outbox: ChatOutbox
  /** The maximum number of edits per minute for progress, in one workspace. The platform allows more. Answers use the rest. */
  readonly progressEditsPerMinute: number
  /** The maximum number of new streams and of appends to streams, per minute in a workspace. Absent: no streams. */
  readonly streams?: { readonly startsPerMinute: number; readonly appendsPerMinute: number }
  /** All processes together make at most this many requests per second. Absent: no limit. */
  readonly requestsPerSecond?: number
  /** After a refused post, the least time between two posts in one channel. Absent: no limit. */
  readonly postIntervalMs?: number
  /** Waits for a turn to post, as in `ChannelRateLimit`. Absent: posts need no turn. */
  readonly untilTurn?: ChannelRateLimit['untilTurn']
}
