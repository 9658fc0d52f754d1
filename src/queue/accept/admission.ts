import { z } from 'zod'
import type { AccessControl } from '../../access/control.ts'
import { type AccessDecision, accessDecisionSchema } from '../../access/decision.ts'
import type { ChatMessage } from '../../chat/event.ts'
import { HISTORY_LIMITS } from '../../history/limits.ts'
import type { StateStore } from '../../store/state-store.ts'
import { threadName } from '../thread-keys.ts'
import type { AcceptedMessage } from './accepted-message.ts'

const apartSchema = z.object({
  /** Set if the message continues a channel's conversation, but its author may no longer read that conversation. */
  isApart: z.boolean().optional(),
})
interface Kept extends Readonly<z.infer<typeof apartSchema>> {
  readonly decision: AccessDecision
}
/**
 * The decision about a message is stored when it is first made, and made again on each later call. This is the latest decision.
 * Only `isPrivate` comes from the stored one, so that the audience stays the same.
 */
type Held = Kept & { readonly isPrivate: boolean }

/**
 * Decides what the author of an accepted message may ask about, and who sees the answer. This happens before Clew shows any part
 * of the message.
 */
export interface Admission {
  /**
   * Adds the decision to a message. The first decision about it is stored, and fixes for all processes who sees the answer. A
   * private answer stays private. If the rules no longer allow a public answer, the question is refused. Each call checks the
   * rights again, and the narrower rights apply. A message that continues a conversation loses this link if its author may no
   * longer read the conversation.
   * @throws StoreError
   */
  admit(accepted: AcceptedMessage, signal: AbortSignal): Promise<AcceptedMessage>
}

/** The admission for an installation without access rules: it allows everything. */
export const OPEN_ADMISSION: Admission = { admit: accepted => Promise.resolve(accepted) }

export function createAdmission(deps: {
  readonly accessControl: Pick<AccessControl, 'decide' | 'isMember'>
  readonly store: StateStore
}): Admission {
  const { accessControl, store } = deps

  async function decide({ place, continues, author }: ChatMessage, signal: AbortSignal, first?: Kept): Promise<Kept> {
    const isApart =
      continues !== undefined && (first?.isApart === true || !(await accessControl.isMember(continues, author, signal)))
    const before = first?.decision.kind === 'granted' ? first.decision.access : undefined
    const decision = await accessControl.decide(isApart ? place : (continues ?? place), author, signal, before)
    return isApart ? { decision, isApart } : { decision }
  }

  async function decisionAbout({ message }: AcceptedMessage, signal: AbortSignal): Promise<Held> {
    const key = `{${threadName(message.place)}}:access:${message.messageId}`
    const kept = readKept(await store.get(key, signal))
    if (kept !== undefined) return decideAgain(message, kept, signal)
    const made = await decide(message, signal)
    const text = JSON.stringify({ ...made.decision, isApart: made.isApart })
    if (await store.setIfUnchanged(key, undefined, text, HISTORY_LIMITS.resumableSeconds, signal))
      return { ...made, isPrivate: isPrivateBy(made) }
    const other = readKept(await store.get(key, signal))
    return decideAgain(message, other ?? made, signal)
  }

  async function decideAgain(message: ChatMessage, first: Kept, signal: AbortSignal): Promise<Held> {
    const isPrivate = isPrivateBy(first)
    if (first.decision.kind === 'refused') return { ...first, isPrivate }
    const now = await decide(message, signal, first)
    const isShown = !(isPrivate || message.isPrivate === true || message.place.isDirect)
    if (isShown && isPrivateBy(now)) return { ...now, isPrivate, decision: { kind: 'refused', reason: 'changed' } }
    return { ...now, isPrivate, decision: now.decision.kind === 'granted' ? { ...now.decision, isPrivate } : now.decision }
  }

  return {
    async admit(accepted, signal) {
      const { decision, isApart, isPrivate } = await decisionAbout(accepted, signal)
      const { continues, ...own } = accepted.message
      const message = isApart === true || continues === undefined ? own : { ...own, continues }
      return { ...accepted, message: isPrivate ? { ...message, isPrivate } : message, access: decision }
    },
  }
}

function isPrivateBy({ decision }: Kept): boolean {
  return decision.kind === 'granted' && decision.isPrivate
}

function readKept(text: string | undefined): Kept | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return { decision: accessDecisionSchema.parse(value), ...apartSchema.parse(value) }
  } catch {
    return undefined
  }
}
