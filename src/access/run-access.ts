import { createHash } from 'node:crypto'
import { z } from 'zod'
import { tableGrantSchema } from './table-grant.ts'

/** The asker's rights, which bound the run's reads. */
export const runAccessSchema = z.object({
  grants: z.array(tableGrantSchema).readonly(),
  /** Server roles for every read of the run. Empty: the reader's default roles. */
  clickhouseRoles: z.array(z.string()).readonly(),
})
export type RunAccess = z.infer<typeof runAccessSchema>

/** A short digest of the rights. It separates what is remembered for different rights. */
export function accessKey({ grants, clickhouseRoles }: RunAccess): string {
  const parts = grants.map(({ tables, except }) => JSON.stringify([[...tables].sort(), [...except].sort()]))
  const text = JSON.stringify([[...new Set(parts)].sort(), [...new Set(clickhouseRoles)].sort()])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
