import { type AccessDecision, accessDecisionSchema } from '../access/access-decision.ts'
import type { AccessDesk } from '../access/access-desk.ts'
import type { StateStore } from '../store/state-store.ts'
import type { AcceptedMessage } from './accepted-message.ts'
import { threadName } from './thread-keys.ts'

/** As long as a started run can be resumed. */
const RETENTION_S = 24 * 3600

/** Decides about an accepted message before anything of it is shown: what its author may ask about, and whether others may see the answer. */
export interface Admission {
  /**
   * The message with what was decided about it. The first decision stands, whichever process makes it: what was begun in private is not ended in public.
   * @throws StoreError
   */
  admit(accepted: AcceptedMessage, signal: AbortSignal): Promise<AcceptedMessage>
}

/** Where no rules of access are set. */
export const OPEN_ADMISSION: Admission = { admit: accepted => Promise.resolve(accepted) }

export function createAdmission(deps: { readonly desk: Pick<AccessDesk, 'decide'>; readonly store: StateStore }): Admission {
  const { desk, store } = deps

  async function firstDecision({ message }: AcceptedMessage, signal: AbortSignal): Promise<AccessDecision> {
    const key = `{${threadName(message.place)}}:access:${message.messageId}`
    const kept = readDecision(await store.get(key, signal))
    if (kept !== undefined) return kept
    const decision = await desk.decide(message.place, message.author, signal)
    if (await store.setIfAbsent(key, JSON.stringify(decision), RETENTION_S, signal)) return decision
    return readDecision(await store.get(key, signal)) ?? decision
  }

  return {
    async admit(accepted, signal) {
      const decision = await firstDecision(accepted, signal)
      const isPrivate = decision.kind === 'granted' && decision.isPrivate
      return { ...accepted, message: isPrivate ? { ...accepted.message, isPrivate } : accepted.message, access: decision }
    },
  }
}

function readDecision(text: string | undefined): AccessDecision | undefined {
  if (text === undefined) return undefined
  try {
    return accessDecisionSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
