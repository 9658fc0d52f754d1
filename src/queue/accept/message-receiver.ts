import type { ChatMessage } from '../../chat/event.ts'
import { inSpan } from '../../telemetry/span.ts'
import { askerName } from '../asker.ts'
import { KeyedSequence } from '../keyed-sequence.ts'
import { QUEUE_LIMITS } from '../limits.ts'
import { threadName } from '../thread-keys.ts'
import type { Acceptance, Acceptor } from './acceptor.ts'
import type { PlaceholderPoster } from './placeholder.ts'

/** Accepts messages. Posts a placeholder for each, such as "Looking into it …". */
export interface MessageReceiver {
  /**
   * Accepts a message, and returns when the message is safe in Redis. The placeholder is posted afterwards.
   * @throws StoreError
   */
  receive(message: ChatMessage): Promise<Acceptance>
  /** Waits until all placeholders have been posted. */
  close(): Promise<void>
}

export function createMessageReceiver(deps: {
  readonly acceptor: Acceptor
  readonly placeholders: PlaceholderPoster
}): MessageReceiver {
  const showing = new Set<Promise<void>>()
  // Accepts the messages of a thread in order, so that no reply overtakes its question.
  const threads = new KeyedSequence()
  // Limits the parallel placeholders of one person, so that a flood from one person does not delay the placeholders of others.
  const authors = new KeyedSequence(QUEUE_LIMITS.placeholdersOfOne)
  return {
    async receive(message) {
      const acceptance = await threads.run(threadName(message.place), () => deps.acceptor.accept(message))
      if (acceptance.outcome !== 'accepted') return acceptance
      const { accepted } = acceptance
      const signal = AbortSignal.timeout(QUEUE_LIMITS.placeholderMs)
      const show = () => deps.placeholders.show(accepted, signal)
      const shown = authors
        .run(askerName(message.place, message.author), () => inSpan('show placeholder', { parent: accepted.traceparent }, show))
        .finally(() => showing.delete(shown))
      showing.add(shown)
      return acceptance
    },
    async close() {
      await Promise.allSettled(showing)
    },
  }
}
