import type { ChatOutbox } from '../../chat/platform.ts'
import type { ChannelRateLimit } from './channel-rate-limit.ts'

export interface ChatDestination {
  readonly outbox: ChatOutbox
  /** The limit for progress edits in one workspace. The platform allows more; answers use the rest. */
  readonly progressEditsPerMinute: number
  /** New streams, and appends to streams, per workspace and minute. Absent: no streams. */
  readonly streams?: { readonly startsPerMinute: number; readonly appendsPerMinute: number }
  /** The platform's limit for all processes together. Absent: no limit. */
  readonly requestsPerSecond?: number
  /** The least time between two posts in one channel after a refusal. Absent: no limit. */
  readonly postIntervalMs?: number
  /** See `ChannelRateLimit`. Absent: posts need no turn. */
  readonly untilTurn?: ChannelRateLimit['untilTurn']
}
