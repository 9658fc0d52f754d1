import type { Progress, Reply } from '../../chat/reply.ts'
import type { Language } from '../../words/language.ts'
import type { AcceptedMessage } from '../accept/accepted-message.ts'

/**
 * Makes the final reply to a message. Undefined if a due run has nothing to say: nothing is then shown. If the worker dies or
 * stops, another call with the same run id continues the work. If it throws, the author of the message is told. The signal aborts
 * when this process no longer needs the reply.
 */
export type AnswerMessage = (accepted: AcceptedMessage, context: ReplyContext, signal: AbortSignal) => Promise<Reply | undefined>

export interface ReplyContext {
  /** Shows progress. Returns at once and never fails. `progress` reads the progress, and is called only before an edit. */
  progress(progress: () => Progress): void
  /** Sets the language of the conversation, once it is known. Until then, Clew uses the author's language setting. */
  speak(language: Language): void
  /** Returns the author's IANA time zone. Undefined if the platform does not tell the zone. */
  timeZone(signal: AbortSignal): Promise<string | undefined>
  /** Adds work to do between this reply and the thread's next message. If the work fails, the failure is only logged. */
  afterReply(work: AfterReply): void
}

export type AfterReply = (signal: AbortSignal) => Promise<void>
