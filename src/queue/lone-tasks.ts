import { z } from 'zod'
import { chatPressSchema } from '../bots/chat-event.ts'
import { acceptedMessageSchema } from './accepted-message.ts'

/** The task of a process of its own: the head of a thread, for the drain whose token it is, a press, or a job of a pipeline by its queue. */
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

/** The outcome for the head of a thread: `wait` wants the thread again after a time, `stopped` at once on another worker. After `overtaken` another has it. */
export const messageOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('settled'), isMore: z.boolean() }),
  z.object({ kind: z.literal('wait'), waitMs: z.number() }),
  z.object({ kind: z.enum(['stopped', 'overtaken']) }),
])
export type MessageOutcome = z.infer<typeof messageOutcomeSchema>
