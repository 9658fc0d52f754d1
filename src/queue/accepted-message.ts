import { z } from 'zod'
import { accessDecisionSchema } from '../access/access-decision.ts'
import { chatMessageSchema } from '../bots/chat-event.ts'
import { openSigned, type StateKey, signText } from '../store/signed-text.ts'

/** A message as it waits in Redis: with the id of the run that will answer it, the same however often the run is resumed. */
export const acceptedMessageSchema = z.object({
  message: chatMessageSchema,
  runId: z.string().min(1),
  /** Unix time in milliseconds. */
  acceptedAt: z.number().int().nonnegative(),
  /** Its thread has had more messages than a person writes: it is told so, and the next get no answer. */
  isOneTooMany: z.boolean().optional(),
  /** What was decided about it; made after acceptance, before anything of it is shown (`Admission`). */
  access: accessDecisionSchema.optional(),
})
export type AcceptedMessage = z.infer<typeof acceptedMessageSchema>

/** A message as it is written to its thread in Redis. */
export function writeAccepted(key: StateKey, thread: string, accepted: AcceptedMessage): string {
  return signText(key, `message ${thread}`, JSON.stringify(accepted))
}

/** Reads what `writeAccepted` has written for this thread; undefined for anything else. */
export function readAccepted(key: StateKey, thread: string, written: string): AcceptedMessage | undefined {
  const text = openSigned(key, `message ${thread}`, written)
  try {
    return text === undefined ? undefined : acceptedMessageSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
