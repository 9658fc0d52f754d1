import { z } from 'zod'
import { conversationSchema } from '../history/conversation.ts'
import { languageSchema } from '../words/language.ts'
import { investigationSchema } from './investigation.ts'

/**
 * What a run starts from. Together with the run's log it is the run's whole state: JSON, versioned, enough to go on after a crash.
 */
export const runRequestSchema = z.object({
  version: z.literal(1),
  run_id: z.string(),
  question: z.string(),
  asked_at: z.iso.datetime(),
  /** IANA name; what "today" means to the asker. */
  time_zone: z.string(),
  /** Whether the platform told the asker's zone, or the operator's setting stands in for it. */
  time_zone_source: z.enum(['asker', 'operator']),
  conversation: conversationSchema,
  /** The conversation's, else that of the asker's platform: for what is said before the message is read. */
  language: languageSchema.default('en'),
  /** What the asker might read, as `accessKey` tells it; null: everything. */
  access: z.string().nullable().default(null),
  /** The investigation that the message may go on with; null where its thread has none. */
  investigation: investigationSchema.nullable().default(null),
})

export type RunRequest = z.infer<typeof runRequestSchema>
