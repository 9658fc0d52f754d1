import type { ChatPlace } from '../chat/event.ts'

/**
 * Returns a thread's name. It is unique over all platforms. It has no braces or colons, because it serves as a hash tag and as a queue id.
 */
export function threadName(place: ChatPlace): string {
  return [place.platform, place.workspace, place.channel, place.thread].map(encodeURIComponent).join('/')
}

/** Returns a thread's keys. They share a hash tag, so that one script may use all of them on a Redis Cluster. */
export function threadKeys(thread: string) {
  const base = `clew:{${thread}}`
  return {
    /** Sorted set: the ids of the waiting messages, ordered by their time `order`. */
    pending: `${base}:pending`,
    /** Hash: message id → accepted message. */
    messages: `${base}:messages`,
    /** Hash: message id → accepted message. Holds replies from before the first mention, each for `heldMs`. */
    held: `${base}:held`,
    /** Hash: message id → the number of the message's starts. A start that ended in an orderly way does not count. */
    starts: `${base}:starts`,
    /** Hash: message id → the number of lone processes that the message has killed. */
    crashes: `${base}:crashes`,
    /** The number of the latest drain, that is, of the latest work on the thread. Earlier drains must show nothing more. */
    fence: `${base}:fence`,
    /** The number of messages that the thread got within `turnsMs`. */
    turns: `${base}:turns`,
    /** This key exists while Clew listens to the thread's replies without mentions. */
    called: `${base}:called`,
    seen: (messageId: string) => `${base}:seen:${messageId}`,
    /** Hash: the parts that a run has shown. The same name is the channel that announces new records. */
    run: (runId: string) => `${base}:run:${runId}`,
    claim: (runId: string, part: string) => `${base}:run:${runId}:claim:${part}`,
  }
}

/** Sorted set: threads that may have messages, ordered by the time of the last acceptance. */
export const THREAD_INDEX = 'clew:threads'
/** Sorted set: messages that got neither an answer nor an explanation, ordered by time. */
export const DEAD_LETTERS = 'clew:dead-letters'
