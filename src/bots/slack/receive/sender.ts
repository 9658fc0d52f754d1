import { z } from 'zod'

const idSchema = z.string().optional().catch(undefined)
/** The fields that may hold a sender's id. Commands, presses and events use different ones. */
const senderSchema = z.object({
  user_id: idSchema,
  user: z.object({ id: idSchema }).optional().catch(undefined),
  event: z.object({ user: idSchema }).optional().catch(undefined),
})

/** Returns the id of the person who sent an event. Empty if the body names nobody. */
export function senderOf(body: Readonly<Record<string, unknown>>): string {
  const { user_id, user, event } = senderSchema.parse(body)
  return user_id ?? user?.id ?? event?.user ?? ''
}
