import type { ChatPlace } from '../chat/event.ts'

/**
 * Returns a thread's name, which is unique over all platforms. The name has no braces or colons, because Redis uses it as a hash
 * tag and BullMQ as an id.
 */
export function threadName(place: ChatPlace): string {
  return [place.platform, place.workspace, place.channel, place.thread].map(encodeURIComponent).join('/')
}

/** Returns a thread's keys. They share a hash tag, so that one script can use all of them on a Redis Cluster. */
export function threadKeys(thread: string) {
  const base = `clew:{${thread}}`
  return {
    /** Sorted set: the ids of the waiting messages, ordered by their time `order`. */
    pending: `${base}:pending`,
    /** Hash: message id → accepted message. */
    messages: `${base}:messages`,
    /** Hash: message id → accepted message. Holds replies that arrived before the first mention of Clew, each for `heldMs`. */
    held: `${base}:held`,
    /** Hash: message id → the number of the message's starts. Starts that ended in an orderly way are subtracted. */
    starts: `${base}:starts`,
    /** Hash: message id → the number of lone processes (processes for a single task) that the message has killed. */
    crashes: `${base}:crashes`,
    /**
     * The number of the latest drain of the thread. A drain answers the thread's messages. Earlier drains must show nothing more.
     */
    fence: `${base}:fence`,
    /** The number of messages that the thread got within `turnsMs`. */
    turns: `${base}:turns`,
    /** Exists while Clew also answers replies in the thread that do not mention it. */
    called: `${base}:called`,
    seen: (messageId: string) => `${base}:seen:${messageId}`,
    /** Hash: the parts that a run has shown. New records are announced on a channel with the same name. */
    run: (runId: string) => `${base}:run:${runId}`,
    claim: (runId: string, part: string) => `${base}:run:${runId}:claim:${part}`,
  }
}

/** Sorted set: threads that may have messages, ordered by the time of the last acceptance. */
export const THREAD_INDEX = 'clew:threads'
/** Sorted set: messages that were given up, ordered by time. Their authors got no answer and no explanation. */
export const DEAD_LETTERS = 'clew:dead-letters'
