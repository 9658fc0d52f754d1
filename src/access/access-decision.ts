import { z } from 'zod'
import { runAccessSchema } from './run-access.ts'

/** What was decided about one message, before anything of it was shown. */
export const accessDecisionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('granted'),
    /** Of the asker; empty where no rules are set. */
    roles: z.array(z.string()).readonly(),
    /** What may be read; absent: everything that is asked about. */
    access: runAccessSchema.optional(),
    /** Whether the asker may show the channel an answer that came to them alone. */
    mayPublish: z.boolean(),
    /** Somebody in the channel may see less than the asker. */
    isPrivate: z.boolean(),
  }),
  /** `changed`: it was begun for all to see, and somebody there may see less by now. */
  z.object({ kind: z.literal('refused'), reason: z.enum(['no_role', 'people_unknown', 'changed']) }),
])
export type AccessDecision = z.infer<typeof accessDecisionSchema>
