import { z } from 'zod'
import { chatPressSchema } from '../../chat/event.ts'
import { acceptedMessageSchema } from '../accept/accepted-message.ts'

/** A task for a lone process: the first message of a thread, a press, or a pipeline's job. */
export const loneTaskSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    token: z.object({ thread: z.string(), fence: z.number() }),
    head: z.object({
      kind: z.literal('message'),
      accepted: acceptedMessageSchema,
      starts: z.number(),
      crashes: z.number(),
    }),
  }),
  z.object({ kind: z.literal('press'), press: chatPressSchema, isLastAttempt: z.boolean() }),
  z.object({ kind: z.literal('job'), queue: z.string(), id: z.string() }),
])
export type LoneTask = z.infer<typeof loneTaskSchema>

/**
 * The outcome for a thread's first message. `wait`: the thread is tried again after `waitMs`. `stopped`: this worker stops, so
 * another worker takes the thread at once. `overtaken`: another worker has already taken the thread.
 */
export const messageOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('settled'), isMore: z.boolean() }),
  z.object({ kind: z.literal('wait'), waitMs: z.number() }),
  z.object({ kind: z.enum(['stopped', 'overtaken']) }),
])
export type MessageOutcome = z.infer<typeof messageOutcomeSchema>
