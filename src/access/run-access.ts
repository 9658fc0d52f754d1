import { createHash } from 'node:crypto'
import { z } from 'zod'
import { tableGrantSchema } from './table-grant.ts'

/** What a run may read, from whoever asked. */
export const runAccessSchema = z.object({
  grants: z.array(tableGrantSchema).readonly(),
  /** The server's roles that every read of the run is sent with; none: the reader's default ones. */
  clickhouseRoles: z.array(z.string()).readonly(),
})
export type RunAccess = z.infer<typeof runAccessSchema>

/** Short, and the same for the same rights only: what is remembered for one is nobody else's. */
export function accessKey({ grants, clickhouseRoles }: RunAccess): string {
  const parts = grants.map(({ tables, except }) => JSON.stringify([[...tables].sort(), [...except].sort()]))
  const text = JSON.stringify([[...new Set(parts)].sort(), [...new Set(clickhouseRoles)].sort()])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
