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
type Kept = { readonly decision: AccessDecision } & Readonly<z.infer<typeof apartSchema>>

/** Decides about an accepted message before anything of it is shown: what its author may ask about, and whether others may see the answer. */
export interface Admission {
  /**
   * The message with what was decided about it. The first decision stands, whichever process makes it: what was begun in private is not ended in public.
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

  async function decide({ place, continues, author }: ChatMessage, signal: AbortSignal): Promise<Kept> {
    const isApart = continues !== undefined && !(await desk.isMember(continues, author, signal))
    const decision = await desk.decide(isApart ? place : (continues ?? place), author, signal)
    return isApart ? { decision, isApart } : { decision }
  }

  async function firstDecision({ message }: AcceptedMessage, signal: AbortSignal): Promise<Kept> {
    const key = `{${threadName(message.place)}}:access:${message.messageId}`
    const kept = readKept(await store.get(key, signal))
    if (kept !== undefined) return kept
    const made = await decide(message, signal)
    const text = JSON.stringify({ ...made.decision, isApart: made.isApart })
    if (await store.setIfUnchanged(key, undefined, text, RETENTION_S, signal)) return made
    return readKept(await store.get(key, signal)) ?? made
  }

  return {
    async admit(accepted, signal) {
      const { decision, isApart } = await firstDecision(accepted, signal)
      const isPrivate = decision.kind === 'granted' && decision.isPrivate
      const { continues, ...own } = accepted.message
      const message = isApart === true || continues === undefined ? own : { ...own, continues }
      return { ...accepted, message: isPrivate ? { ...message, isPrivate } : message, access: decision }
    },
  }
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
