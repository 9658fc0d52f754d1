import type { ChatOutbox } from '../bots/chat-platform.ts'

/** A platform as the queue sees it. */
export interface ChatDestination {
  readonly outbox: ChatOutbox
  /** How many edits progress may make a minute in one workspace, by the platform's limits; the rest is left to answers. */
  readonly progressEditsPerMinute: number
  /** How many answers may begin to be streamed in one workspace a minute, and how many appends they may have; none are where this is not set. */
  readonly streams?: { readonly startsPerMinute: number; readonly appendsPerMinute: number }
  /** What all processes together may ask of it in a second, where it limits that. */
  readonly requestsPerSecond?: number
  /** Between two posts in one channel, where it limits that. */
  readonly postIntervalMs?: number
}
