import type { ChatPlace } from '../bots/chat-event.ts'

/** The name of a thread, unique over all platforms: no braces or colons, so that it serves as hash tag and as queue id. */
export function threadName(place: ChatPlace): string {
  return [place.platform, place.workspace, place.channel, place.thread].map(encodeURIComponent).join('/')
}

/** The keys of one thread. They share a hash tag, so that one script may touch them all on a Redis Cluster. */
export function threadKeys(thread: string) {
  const base = `clew:{${thread}}`
  return {
    /** Sorted set: message ids by `order`. */
    pending: `${base}:pending`,
    /** Hash: message id → accepted message. */
    messages: `${base}:messages`,
    /** Hash: message id → accepted message, of replies that came before the thread was called into; see `heldMs`. */
    held: `${base}:held`,
    /** Hash: message id → starts that did not end in an orderly way. */
    starts: `${base}:starts`,
    /** Hash: message id → deaths of a process that had this message alone in hand. */
    crashes: `${base}:crashes`,
    /** Number of the latest drain; whoever has an older one may not show anything any more. */
    fence: `${base}:fence`,
    /** Number: messages that were accepted within `turnsMs`. */
    turns: `${base}:turns`,
    /** There as long as the thread is listened to without a mention. */
    called: `${base}:called`,
    seen: (messageId: string) => `${base}:seen:${messageId}`,
    /** Hash: what was shown for a run. Also the channel on which a record is announced. */
    run: (runId: string) => `${base}:run:${runId}`,
    claim: (runId: string, part: string) => `${base}:run:${runId}:claim:${part}`,
  }
}

/** Sorted set: names of threads that may hold messages, by the time of the latest acceptance. */
export const THREAD_INDEX = 'clew:threads'
/** Sorted set: messages that were neither answered nor told why, by the time at which they were given up. */
export const DEAD_LETTERS = 'clew:dead-letters'
