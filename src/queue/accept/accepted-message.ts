import { z } from 'zod'
import { accessDecisionSchema } from '../../access/decision.ts'
import { chatMessageSchema } from '../../chat/event.ts'
import { openSigned, type StateKey, signText } from '../../store/signed-text.ts'

/** A message as Redis stores it. The run id of a message never changes, even if the run resumes several times. */
export const acceptedMessageSchema = z.object({
  message: chatMessageSchema,
  runId: z.string().min(1),
  /** Unix time in milliseconds. */
  acceptedAt: z.number().int().nonnegative(),
  /**
   * Set for the first message that exceeds the thread's limit `QUEUE_LIMITS.mostTurns`. Its author is told about the limit.
   * Further messages of the thread are ignored.
   */
  isOneTooMany: z.boolean().optional(),
  /** The span that accepted the message. */
  traceparent: z.string().optional(),
  /**
   * The decision about the author's rights and about who sees the answer. `Admission` adds it after acceptance, before Clew shows
   * anything.
   */
  access: accessDecisionSchema.optional(),
})
export type AcceptedMessage = z.infer<typeof acceptedMessageSchema>

export function writeAccepted(key: StateKey, thread: string, accepted: AcceptedMessage): string {
  return signText(key, `message ${thread}`, JSON.stringify(accepted))
}

/**
 * Parses a stored message.
 * @returns undefined if the text was not written and signed for this thread by `writeAccepted`
 */
export function readAccepted(key: StateKey, thread: string, written: string): AcceptedMessage | undefined {
  const text = openSigned(key, `message ${thread}`, written)
  try {
    return text === undefined ? undefined : acceptedMessageSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
