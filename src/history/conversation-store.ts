import type { Logger } from '../base/logger.ts'
import { parseJson } from '../base/text/parse-json.ts'
import type { StateStore } from '../store/state-store.ts'
import { type Conversation, conversationSchema, newConversation } from './conversation.ts'
import { HISTORY_LIMITS } from './limits.ts'

interface ConversationStoreDeps {
  readonly store: StateStore
  readonly newId: () => string
  readonly logger: Logger
  readonly retentionSeconds?: number
}

export class ConversationStore {
  readonly #deps: ConversationStoreDeps

  constructor(deps: ConversationStoreDeps) {
    this.#deps = deps
  }

  /**
   * Loads a thread's conversation. If the stored conversation cannot be parsed or has another version, the thread starts anew.
   */
  async load(thread: string, signal: AbortSignal): Promise<Conversation> {
    return this.#read(thread, await this.#deps.store.get(keyOf(thread), signal))
  }

  /**
   * Applies `change` to the stored conversation and returns the result. No concurrent change is lost, even if two answers to the
   * thread end at the same moment.
   * @param change runs again if another process wrote first; if it returns its argument, nothing is written
   */
  async change(thread: string, change: (now: Conversation) => Conversation, signal: AbortSignal): Promise<Conversation> {
    const { store, retentionSeconds = HISTORY_LIMITS.conversationSeconds } = this.#deps
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
