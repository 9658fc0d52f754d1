import type { ChatPlace } from '../chat/event.ts'

/** A thread's name, unique over all platforms. It has no braces or colons, so that it works as hash tag and queue id. */
export function threadName(place: ChatPlace): string {
  return [place.platform, place.workspace, place.channel, place.thread].map(encodeURIComponent).join('/')
}

/** A thread's keys. They share a hash tag, so that one script may use them all on a Redis Cluster. */
export function threadKeys(thread: string) {
  const base = `clew:{${thread}}`
  return {
    /** Sorted set: message ids by `order`. */
    pending: `${base}:pending`,
    /** Hash: message id → accepted message. */
    messages: `${base}:messages`,
    /** Hash: message id → accepted message. Contains replies from before the first mention; see `heldMs`. */
    held: `${base}:held`,
    /** Hash: message id → starts without an orderly end. */
    starts: `${base}:starts`,
    /** Hash: message id → deaths of a lone process with this message. */
    crashes: `${base}:crashes`,
    /** The number of the latest drain. Earlier drains may show nothing any more. */
    fence: `${base}:fence`,
    /** The number of messages accepted within `turnsMs`. */
    turns: `${base}:turns`,
    /** Exists while Clew listens to the thread without mentions. */
    called: `${base}:called`,
    seen: (messageId: string) => `${base}:seen:${messageId}`,
    /** Hash: the parts shown for a run. Also the channel that announces records. */
    run: (runId: string) => `${base}:run:${runId}`,
    claim: (runId: string, part: string) => `${base}:run:${runId}:claim:${part}`,
  }
}

/** Sorted set: threads that may hold messages, by the time of the last acceptance. */
export const THREAD_INDEX = 'clew:threads'
/** Sorted set: messages given up without a word to their authors, by time. */
export const DEAD_LETTERS = 'clew:dead-letters'
