import type { AccessDecision } from '../../access/decision.ts'
import { accessKey } from '../../access/run-access.ts'
import type { AcceptedMessage } from '../accept/accepted-message.ts'
import type { FinalReply, RunLedger } from './run-ledger.ts'

/** Returns a digest of the rights under which a reply is made. Undefined if there are no rules. */
export function rightsOf(decision: AccessDecision | undefined): string | undefined {
  if (decision === undefined) return undefined
  if (decision.kind === 'refused') return decision.reason
  return decision.access && accessKey(decision.access)
}

/**
 * Returns the final reply that an earlier attempt stored. Undefined if there is none, or if it was made under other rights than
 * the author has now.
 * @throws StoreError
 */
export async function savedReply(
  ledger: Pick<RunLedger, 'final'>,
  { access }: Pick<AcceptedMessage, 'access'>,
  signal: AbortSignal,
): Promise<FinalReply | undefined> {
  const final = await ledger.final(signal)
  return final?.rights === rightsOf(access) ? final : undefined
}
