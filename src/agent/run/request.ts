import { z } from 'zod'
import { conversationSchema } from '../../history/conversation.ts'
import { languageSchema } from '../../words/language.ts'
import { investigationSchema } from './investigation.ts'

/** The input of a run as it was at the start. After a crash, the run continues from this input and the run's log. */
export const runRequestSchema = z.object({
  version: z.literal(1),
  run_id: z.string(),
  question: z.string(),
  asked_at: z.iso.datetime(),
  /** The IANA name of the time zone in which words such as "today" are understood. */
  time_zone: z.string(),
  /** Whether the zone comes from the asker's platform or from the operator's setting. */
  time_zone_source: z.enum(['asker', 'operator']),
  conversation: conversationSchema,
  /**
   * The language that is assumed until a model has read the message: that of the message's words, then that of the conversation,
   * then that of the platform.
   */
  language: languageSchema.default('en'),
  /** The key of the asker's rights, from `accessKey`. Null if the rights are not limited. */
  access: z.string().nullable().default(null),
  /** The investigation that the message may continue. Null if there is none. */
  investigation: investigationSchema.nullable().default(null),
  /** Whether the SQL of the question is to be frozen, and run again at later times. */
  recurs: z.boolean().optional(),
})

export type RunRequest = z.infer<typeof runRequestSchema>
