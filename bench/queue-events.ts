import { z } from 'zod'

/** The name of the BullMQ queue that is used without Clew. */
export const BARE_QUEUE = 'bare'

/** The lines that a queue's worker prints. `at` is Unix time in milliseconds. */
export const queueEventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('ready') }),
  z.object({ event: z.enum(['begun', 'shown']), id: z.string(), at: z.number() }),
])
export type QueueEvent = z.infer<typeof queueEventSchema>
