import type { Subscribe } from '../agent/subscribe/frozen-plan.ts'
import { nextDue } from '../agent/subscribe/schedule.ts'
import type { AcceptedMessage } from '../queue/accept/accepted-message.ts'
import type { Language } from '../words/language.ts'
import { SUBSCRIPTION_LIMITS } from './limits.ts'
import type { Subscriptions } from './store.ts'
import { QUIET } from './subscription.ts'

/** Returns the function that keeps what the author of a message has confirmed, for the thread of the message. */
export function keepFor(
  deps: { readonly subscriptions: Subscriptions; readonly now: () => number },
  { message: { place, author } }: AcceptedMessage,
  language: () => Language,
): Subscribe {
  return async (draft, signal) => {
    const all = await deps.subscriptions.all(signal)
    const known = all.find(({ id }) => id === draft.id)
    if (known !== undefined) return { isKept: true, next: known.next }
    const own = all.filter(each => each.owner === author && each.place.platform === place.platform)
    const { mostOfOne: most } = SUBSCRIPTION_LIMITS
    if (own.length >= most) return { isKept: false, most }
    const createdAt = deps.now()
    const next = nextDue(draft.recurrence, createdAt) ?? createdAt
    const unused = { running: null, alert: QUIET, watched: null, last: [], gateRow: null, isFailing: false, history: [] }
    const owned = { version: 1, owner: author, place, language: language(), createdAt, status: 'active' } as const
    await deps.subscriptions.add({ ...draft, ...owned, next, ...unused }, signal)
    return { isKept: true, next }
  }
}
