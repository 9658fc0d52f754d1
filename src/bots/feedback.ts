import { z } from 'zod'

export const feedbackSchema = z.object({
  runId: z.string(),
  verdict: z.enum(['helpful', 'unhelpful']),
  /** Why, in the person's words. */
  reason: z.string().optional(),
  platform: z.string(),
  workspace: z.string(),
  user: z.string(),
  /** Unix time in milliseconds. */
  at: z.number(),
  question: z.string(),
  standaloneQuestion: z.string(),
  sql: z.array(z.string()),
})

/** What somebody said of an answer, with what it takes to judge that without the answer. */
export type Feedback = z.infer<typeof feedbackSchema>

/** Where feedback is kept. Methods throw StoreError. */
export interface FeedbackStore {
  /** Keeps what a person says of a run; what they said of it before no longer counts. Doing it twice is doing it once. */
  give(feedback: Feedback, signal: AbortSignal): Promise<void>
  /** What counts, the latest first. */
  list(signal: AbortSignal): Promise<readonly Feedback[]>
}
