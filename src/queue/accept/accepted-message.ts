import { z } from 'zod'
import { accessDecisionSchema } from '../../access/decision.ts'
import { chatMessageSchema } from '../../chat/event.ts'
import { openSigned, type StateKey, signText } from '../../store/signed-text.ts'

/** A message as stored in Redis. Its run id stays the same however often the run resumes. */
export const acceptedMessageSchema = z.object({
  message: chatMessageSchema,
  runId: z.string().min(1),
  /** Unix time in milliseconds. */
  acceptedAt: z.number().int().nonnegative(),
  /** Its thread has more messages than a person writes. Clew says so once and ignores the following ones. */
  isOneTooMany: z.boolean().optional(),
  /** `Admission` adds this after acceptance, before anything of the message is shown. */
  access: accessDecisionSchema.optional(),
})
export type AcceptedMessage = z.infer<typeof acceptedMessageSchema>

export function writeAccepted(key: StateKey, thread: string, accepted: AcceptedMessage): string {
  return signText(key, `message ${thread}`, JSON.stringify(accepted))
}

/** @returns undefined for anything that `writeAccepted` did not write for this thread */
export function readAccepted(key: StateKey, thread: string, written: string): AcceptedMessage | undefined {
  const text = openSigned(key, `message ${thread}`, written)
  try {
    return text === undefined ? undefined : acceptedMessageSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
