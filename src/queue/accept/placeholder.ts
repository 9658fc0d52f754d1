import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import type { ChatOutbox } from '../../chat/platform.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { chatWords } from '../../words/chat.ts'
import { languageFor } from '../../words/language.ts'
import type { ChatDestination } from '../deliver/chat-destination.ts'
import { createDelivery } from '../deliver/delivery.ts'
import { createEditBudget } from '../deliver/edit-budget.ts'
import { createRunLedger } from '../deliver/run-ledger.ts'
import { KeyedSequence } from '../keyed-sequence.ts'
import type { RecordWatcher } from '../record-watcher.ts'
import { threadName } from '../thread-keys.ts'
import type { AcceptedMessage } from './accepted-message.ts'
import type { Admission } from './admission.ts'

/** Returns the text of a new placeholder, such as "Looking into it …". */
export function placeholderLines({ message: { language = 'en' } }: AcceptedMessage): readonly string[] {
  return [chatWords(language).lookingIntoIt]
}

/**
 * Adds a language to a message: the question's language if it is clear, and otherwise the language that the author has set on the
 * platform.
 */
export async function inOwnLanguage(
  accepted: AcceptedMessage,
  { personOf }: Pick<ChatOutbox, 'personOf'>,
  signal: AbortSignal,
): Promise<AcceptedMessage> {
  const { message } = accepted
  const platform = message.language ?? (await personOf(message.place, message.author, signal)).language
  return { ...accepted, message: { ...message, language: languageFor({ question: message.text, platform }) } }
}

/** Posts placeholders from the process that accepts messages, so that people see a placeholder even if all workers are busy. */
export interface PlaceholderPoster {
  /** Shows the placeholder. Never throws: after a failure, a worker shows the placeholder later. */
  show(accepted: AcceptedMessage, signal: AbortSignal): Promise<void>
}

export function createPlaceholderPoster(deps: {
  readonly redis: RedisClient
  readonly admission: Admission
  readonly destinations: Readonly<Record<string, ChatDestination>>
  readonly watcher: RecordWatcher
  /** A request that timed out may still take effect within this time. Only tests set it. */
  readonly landingMs?: number
  readonly now: () => number
  readonly logger: Logger
}): PlaceholderPoster {
  const { watcher, landingMs } = deps
  const budget = createEditBudget(deps.redis)
  // Posts the placeholders of a thread one after another, in the order of the messages.
  const threads = new KeyedSequence()

  async function post(accepted: AcceptedMessage, thread: string, signal: AbortSignal): Promise<void> {
    const destination = deps.destinations[accepted.message.place.platform]
    if (destination === undefined) return
    try {
      const admitted = await inOwnLanguage(await deps.admission.admit(accepted, signal), destination.outbox, signal)
      const ledger = createRunLedger(deps.redis, { thread, runId: accepted.runId, fence: undefined, landingMs })
      const language = () => admitted.message.language ?? 'en'
      const to = { accepted: admitted, destination, language }
      const delivery = createDelivery({ ...to, ledger, watcher, budget, landingMs, now: deps.now })
      await delivery.ensurePlaceholder(placeholderLines(admitted), signal)
    } catch (error) {
      deps.logger.warn({ thread, run: accepted.runId, error: errorMessage(error) }, 'placeholder left to a worker')
    }
  }

  return {
    async show(accepted, signal) {
      const thread = threadName(accepted.message.place)
      await threads.run(thread, () => post(accepted, thread, signal))
    },
  }
}
