import type { ChatOutbox } from '../../chat/platform.ts'
import type { ChannelRateLimit } from './channel-rate-limit.ts'

export interface ChatDestination {
  readonly outbox: ChatOutbox
  /** Progress may make this many edits in one workspace. The platform allows more edits, and answers use the rest. */
  readonly progressEditsPerMinute: number
  /** The most new streams per minute in a workspace, and the most appends to streams per minute. Absent: no streams. */
  readonly streams?: { readonly startsPerMinute: number; readonly appendsPerMinute: number }
  /** All processes together make at most this many requests per second. Absent: no limit. */
  readonly requestsPerSecond?: number
  /** After a refused post, the least time between two posts in one channel. Absent: no limit. */
  readonly postIntervalMs?: number
  /** Waits for a turn to post, as `ChannelRateLimit` says. Absent: posts need no turn. */
  readonly untilTurn?: ChannelRateLimit['untilTurn']
}
