import { z } from 'zod'
import { conversationSchema } from '../../history/conversation.ts'
import { languageSchema } from '../../words/language.ts'
import { investigationSchema } from './investigation.ts'

/** The start of a run. With its log it is the run's whole state, and enough to continue after a crash. */
export const runRequestSchema = z.object({
  version: z.literal(1),
  run_id: z.string(),
  question: z.string(),
  asked_at: z.iso.datetime(),
  /** IANA name. It decides the asker's "today". */
  time_zone: z.string(),
  /** Whether the zone comes from the asker's platform or from the operator's setting. */
  time_zone_source: z.enum(['asker', 'operator']),
  conversation: conversationSchema,
  /** The language before the message is read: the conversation's, or else the platform's. */
  language: languageSchema.default('en'),
  /** The asker's rights, from `accessKey`; null: no limits. */
  access: z.string().nullable().default(null),
  /** The investigation that the message may continue; null if there is none. */
  investigation: investigationSchema.nullable().default(null),
})

export type RunRequest = z.infer<typeof runRequestSchema>
