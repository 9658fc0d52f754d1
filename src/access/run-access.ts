import { createHash } from 'node:crypto'
import { z } from 'zod'
import { tableGrantSchema } from './table-grant.ts'

export const runAccessSchema = z.object({
  grants: z.array(tableGrantSchema).readonly(),
  /**
   * The server roles for every query of the run. Empty: the default roles of the warehouse's reading user. A role of another
   * source than the default one stands behind its source: `crm/reader_eu`.
   */
  clickhouseRoles: z.array(z.string()).readonly(),
})
export type RunAccess = z.infer<typeof runAccessSchema>

/** Returns a short digest of the rights. Used in cache keys, so that people with different rights do not share entries. */
export function accessKey({ grants, clickhouseRoles }: RunAccess): string {
  const parts = grants.map(({ tables, except }) => JSON.stringify([[...tables].sort(), [...except].sort()]))
  const text = JSON.stringify([[...new Set(parts)].sort(), [...new Set(clickhouseRoles)].sort()])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
