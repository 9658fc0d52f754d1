import { z } from 'zod'
import { accessDecisionSchema } from '../../access/decision.ts'
import { chatMessageSchema } from '../../chat/event.ts'
import { openSigned, type StateKey, signText } from '../../store/signed-text.ts'

/** A message as Redis stores it. The message's run id stays the same however often the run resumes. */
export const acceptedMessageSchema = z.object({
  message: chatMessageSchema,
  runId: z.string().min(1),
  /** Unix time in milliseconds. */
  acceptedAt: z.number().int().nonnegative(),
  /**
   * Set for the first message of a thread beyond `QUEUE_LIMITS.mostTurns`. Clew tells its author once, and ignores the thread's following messages.
   */
  isOneTooMany: z.boolean().optional(),
  /** What the author may ask about, and who sees the answer. `Admission` adds it after acceptance, before Clew shows anything. */
  access: accessDecisionSchema.optional(),
})
export type AcceptedMessage = z.infer<typeof acceptedMessageSchema>

export function writeAccepted(key: StateKey, thread: string, accepted: AcceptedMessage): string {
  return signText(key, `message ${thread}`, JSON.stringify(accepted))
}

/** Parses a stored message. @returns undefined if the text was not written and signed for this thread by `writeAccepted` */
export function readAccepted(key: StateKey, thread: string, written: string): AcceptedMessage | undefined {
  const text = openSigned(key, `message ${thread}`, written)
  try {
    return text === undefined ? undefined : acceptedMessageSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
