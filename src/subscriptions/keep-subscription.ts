import { type Subscribe, type SubscriptionDraft, subscriptionDraftSchema } from '../agent/subscribe/frozen-plan.ts'
import { nextDue } from '../agent/subscribe/schedule.ts'
import type { AcceptedMessage } from '../queue/accept/accepted-message.ts'
import type { Language } from '../words/language.ts'
import { readCommand } from './chat-command.ts'
import { SUBSCRIPTION_LIMITS } from './limits.ts'
import { isFull } from './steer.ts'
import type { Subscriptions } from './store.ts'
import { QUIET, type Subscription } from './subscription.ts'

const UNUSED = { running: null, alert: QUIET, watched: null, last: [], gateRow: null, isFailing: false, openTo: null } as const

/**
 * Returns what keeps that which the author of a message has confirmed: for the thread of the message, or in place of a
 * subscription of the author's, whose thread and history stay.
 */
export function keepFor(
  { subscriptions, now }: { readonly subscriptions: Subscriptions; readonly now: () => number },
  { message: { place, author } }: AcceptedMessage,
  language: () => Language,
): Subscribe {
  const isOwn = (each: Subscription) => each.owner === author && each.place.platform === place.platform
  return {
    async keep(draft, signal) {
      const at = now()
      const next = nextDue(draft.recurrence, at) ?? at
      const made = { ...draft, ...UNUSED, language: language(), status: 'active', next } as const
      const all = await subscriptions.all(signal)
      if (isFull(all, { id: draft.id, owner: author, place })) return { isKept: false, most: SUBSCRIPTION_LIMITS.mostOfOne }
      if (all.filter(isOwn).some(({ id }) => id === draft.id)) {
        const revised = (known: Subscription) => (isSame(known, draft) ? known : { ...known, ...made })
        const kept = await subscriptions.change(draft.id, revised, signal)
        if (kept !== undefined) await subscriptions.wake(kept, signal)
        return { isKept: true, next: kept?.next ?? next }
      }
      await subscriptions.add({ ...made, version: 1, owner: author, place, createdAt: at, history: [] }, signal)
      return { isKept: true, next }
    },
    async revised(text, signal) {
      const { what, id = '', words = '' } = readCommand(text) ?? {}
      const draft = what === 'edit' && words !== '' ? await subscriptions.find(id, signal) : undefined
      return draft && isOwn(draft) ? { draft: subscriptionDraftSchema.parse(draft), words } : undefined
    },
  }
}

function isSame(known: Subscription, draft: SubscriptionDraft): boolean {
  const [one, other] = [known, draft].map(each => JSON.stringify(subscriptionDraftSchema.parse(each)))
  return one === other
}
