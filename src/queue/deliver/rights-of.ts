import type { AccessDecision } from '../../access/decision.ts'
import { accessKey } from '../../access/run-access.ts'

/** Returns a digest of the rights under which a reply is made. Undefined if there are no rules. */
export function rightsOf(decision: AccessDecision | undefined): string | undefined {
  if (decision === undefined) return undefined
  if (decision.kind === 'refused') return decision.reason
  return decision.access && accessKey(decision.access)
}
