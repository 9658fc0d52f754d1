import { z } from 'zod'
import { runAccessSchema } from './run-access.ts'

/** Made before anything of the message is shown. */
export const accessDecisionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('granted'),
    /** The asker's roles; empty if no rules are set. */
    roles: z.array(z.string()).readonly(),
    /** The tables the asker may read. Absent: all. */
    access: runAccessSchema.optional(),
    /** Whether the asker may share a private answer with the channel. */
    mayPublish: z.boolean(),
    /** The answer goes to the asker alone, because somebody in the channel may see less. */
    isPrivate: z.boolean(),
  }),
  /** `changed`: the answer was started in public, and by now somebody there may see less. */
  z.object({ kind: z.literal('refused'), reason: z.enum(['no_role', 'people_unknown', 'changed']) }),
])
export type AccessDecision = z.infer<typeof accessDecisionSchema>
