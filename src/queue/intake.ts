import type { ChatMessage } from '../bots/chat-event.ts'
import type { Acceptance, Acceptor } from './acceptor.ts'
import { KeyedSequence } from './keyed-sequence.ts'
import type { Placeholders } from './placeholder.ts'
import { threadName } from './thread-keys.ts'

/** Long enough for one post with its retries; a worker shows the placeholder after that. */
const PLACEHOLDER_TIMEOUT_MS = 20_000

/** Accepts messages and shows that they were accepted. */
export interface Intake {
  /** Returns as soon as the message is safe, its placeholder being on the way. @throws StoreError */
  take(message: ChatMessage): Promise<Acceptance>
  /** Waits for the placeholders on their way. */
  close(): Promise<void>
}

export function createIntake(deps: { readonly acceptor: Acceptor; readonly placeholders: Placeholders }): Intake {
  const showing = new Set<Promise<void>>()
  // Messages of a thread are accepted in the order of their arrival, so that a reply does not overtake the message that it replies to.
  const threads = new KeyedSequence()
  return {
    async take(message) {
      const acceptance = await threads.run(threadName(message.place), () => deps.acceptor.accept(message))
      if (acceptance.outcome !== 'accepted') return acceptance
      const shown = deps.placeholders
        .show(acceptance.accepted, AbortSignal.timeout(PLACEHOLDER_TIMEOUT_MS))
        .finally(() => showing.delete(shown))
      showing.add(shown)
      return acceptance
    },
    async close() {
      await Promise.allSettled(showing)
    },
  }
}
