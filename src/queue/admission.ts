import { z } from 'zod'
import { type AccessDecision, accessDecisionSchema } from '../access/access-decision.ts'
import type { AccessDesk } from '../access/access-desk.ts'
import type { ChatMessage } from '../bots/chat-event.ts'
import type { StateStore } from '../store/state-store.ts'
import type { AcceptedMessage } from './accepted-message.ts'
import { threadName } from './thread-keys.ts'

/** As long as a started run can be resumed. */
const RETENTION_S = 24 * 3600

const apartSchema = z.object({
  /** Its author is known no longer in the channel that it would go on from: neither the rights nor the conversation there are theirs. */
  isApart: z.boolean().optional(),
})
interface Kept extends Readonly<z.infer<typeof apartSchema>> {
  readonly decision: AccessDecision
}
/** What holds now: who sees it is as it was when it was begun. */
type Held = Kept & { readonly isPrivate: boolean }

/** Decides about an accepted message before anything of it is shown: what its author may ask about, and whether others may see the answer. */
export interface Admission {
  /**
   * The message with what is decided about it. Who sees the answer stands from the first decision, whichever process makes it: what was begun in private is not ended in
   * public, and what was begun in public and may not be ended there is refused. What may be read is looked at each time, and is what may be read now where that is less.
   * One that goes on with a conversation that its author may not know (any more) comes back without it.
   * @throws StoreError
   */
  admit(accepted: AcceptedMessage, signal: AbortSignal): Promise<AcceptedMessage>
}

/** Where no rules of access are set. */
export const OPEN_ADMISSION: Admission = { admit: accepted => Promise.resolve(accepted) }

export function createAdmission(deps: {
  readonly desk: Pick<AccessDesk, 'decide' | 'isMember'>
  readonly store: StateStore
}): Admission {
  const { desk, store } = deps

  async function decide({ place, continues, author }: ChatMessage, signal: AbortSignal, first?: Kept): Promise<Kept> {
    const isApart = continues !== undefined && (first?.isApart === true || !(await desk.isMember(continues, author, signal)))
    const before = first?.decision.kind === 'granted' ? first.decision.access : undefined
    const decision = await desk.decide(isApart ? place : (continues ?? place), author, signal, before)
    return isApart ? { decision, isApart } : { decision }
  }

  async function decisionAbout({ message }: AcceptedMessage, signal: AbortSignal): Promise<Held> {
    const key = `{${threadName(message.place)}}:access:${message.messageId}`
    const kept = readKept(await store.get(key, signal))
    if (kept !== undefined) return decideAgain(message, kept, signal)
    const made = await decide(message, signal)
    const text = JSON.stringify({ ...made.decision, isApart: made.isApart })
    if (await store.setIfUnchanged(key, undefined, text, RETENTION_S, signal)) return { ...made, isPrivate: isPrivateBy(made) }
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
