import { z } from 'zod'

export const feedbackSchema = z.object({
  runId: z.string(),
  verdict: z.enum(['helpful', 'unhelpful']),
  reason: z.string().optional(),
  platform: z.string(),
  workspace: z.string(),
  user: z.string(),
  /** Unix time in milliseconds. */
  at: z.number(),
  question: z.string(),
  standaloneQuestion: z.string(),
  sql: z.array(z.string()),
  /** The asker of the answer, and what made it. The names are those under which its use is counted. */
  of: z
    .object({
      person: z.string(),
      channel: z.string(),
      sources: z.array(z.string()),
      models: z.array(z.string()),
      /** Whether everybody in the channel saw the answer. */
      isOpen: z.boolean().optional(),
    })
    .optional(),
  /** The run whose query the person proposes in these words and with this SQL. Absent for a verdict on an answer. */
  proposes: z.string().optional(),
})

/** A person's verdict on an answer, with the data for reviewing it later. */
export type Feedback = z.infer<typeof feedbackSchema>

/** Stores people's verdicts on answers. All methods throw StoreError. */
export interface FeedbackStore {
  /** Stores a person's verdict on a run, in place of the person's earlier verdict. Idempotent. */
  give(feedback: Feedback, signal: AbortSignal): Promise<void>
  /** Returns a person's latest verdict on a run. */
  find(of: Pick<Feedback, 'runId' | 'platform' | 'user'>, signal: AbortSignal): Promise<Feedback | undefined>
  /** Lists each person's latest verdict on each run, newest first. */
  list(signal: AbortSignal): Promise<readonly Feedback[]>
}
