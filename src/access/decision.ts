import { z } from 'zod'
import { runAccessSchema } from './run-access.ts'

/** Whether Clew answers a message, and with which rights. Decided before Clew shows anything about the message. */
export const accessDecisionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('granted'),
    /** The asker's roles. Empty if there are no rules. */
    roles: z.array(z.string()).readonly(),
    /** The tables that the asker may read. Absent: all tables. */
    access: runAccessSchema.optional(),
    /** Whether the asker may share a private answer with the channel. */
    mayPublish: z.boolean(),
    /** Whether only the asker sees the answer. True if somebody in the channel may see less than the asker. */
    isPrivate: z.boolean(),
    /** The person for whom a token of the console asks, as `slack/U1`. */
    person: z.string().optional(),
  }),
  /** `changed`: the answer was started in public, but by now somebody in the channel may see less than the asker. */
  z.object({ kind: z.literal('refused'), reason: z.enum(['no_role', 'people_unknown', 'changed']) }),
])
export type AccessDecision = z.infer<typeof accessDecisionSchema>
