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

/** Loads and saves what is remembered of a thread. */
export class ConversationStore {
  readonly #deps: ConversationStoreDeps

  constructor(deps: ConversationStoreDeps) {
    this.#deps = deps
  }

  /** The thread's conversation. One of another version, or broken, is dropped: the thread starts fresh rather than fail. */
  async load(thread: string, signal: AbortSignal): Promise<Conversation> {
    const text = await this.#deps.store.get(keyOf(thread), signal)
    if (text === undefined) return newConversation(`session_${this.#deps.newId()}`)
    const parsed = conversationSchema.safeParse(parseJson(text))
    if (parsed.success) return parsed.data
    this.#deps.logger.warn({ thread }, 'conversation could not be read and starts fresh')
    return newConversation(`session_${this.#deps.newId()}`)
  }

  async save(thread: string, conversation: Conversation, signal: AbortSignal): Promise<void> {
    const { store, retentionSeconds = RETENTION_S } = this.#deps
    await store.set(keyOf(thread), JSON.stringify(conversation), retentionSeconds, signal)
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
