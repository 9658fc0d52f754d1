import type { Logger } from '../logger.ts'
import type { StateStore } from '../store/state-store.ts'
import { type Conversation, conversationSchema, newConversation } from './conversation.ts'

/** How long a silent thread is remembered, unless told otherwise. */
const RETENTION_S = 30 * 24 * 3600

interface ConversationStoreDeps {
  readonly store: StateStore
  readonly newId: () => string
  readonly logger: Logger
  readonly retentionSeconds?: number
}

/** Loads and changes what is remembered of a thread. */
export class ConversationStore {
  readonly #deps: ConversationStoreDeps

  constructor(deps: ConversationStoreDeps) {
    this.#deps = deps
  }

  /** The thread's conversation. One of another version, or broken, is dropped: the thread starts fresh rather than fail. */
  async load(thread: string, signal: AbortSignal): Promise<Conversation> {
    return this.#read(thread, await this.#deps.store.get(keyOf(thread), signal))
  }

  /**
   * Changes the thread's conversation as it is now, and returns what it is then. Several may do so at once, as those who answer in a channel's thread and under a
   * private answer: whoever comes second changes what the first one made of it, so nothing is lost.
   * @param change called once more whenever somebody else was faster; what it returns unchanged is not written
   */
  async change(thread: string, change: (now: Conversation) => Conversation, signal: AbortSignal): Promise<Conversation> {
    const { store, retentionSeconds = RETENTION_S } = this.#deps
    const key = keyOf(thread)
    for (;;) {
      const text = await store.get(key, signal)
      const before = this.#read(thread, text)
      const after = change(before)
      if (after === before) return before
      if (await store.setIfUnchanged(key, text, JSON.stringify(after), retentionSeconds, signal)) return after
    }
  }

  #read(thread: string, text: string | undefined): Conversation {
    if (text === undefined) return newConversation(`session_${this.#deps.newId()}`)
    const parsed = conversationSchema.safeParse(parseJson(text))
    if (parsed.success) return parsed.data
    this.#deps.logger.warn({ thread }, 'conversation could not be read and starts fresh')
    return newConversation(`session_${this.#deps.newId()}`)
  }
}

function keyOf(thread: string): string {
  return `{${thread}}:conversation`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
