import { isDeepStrictEqual } from 'node:util'
import { type Subscribe, subscriptionDraftSchema } from '../agent/subscribe/frozen-plan.ts'
import { nextDue } from '../agent/subscribe/schedule.ts'
import type { AcceptedMessage } from '../queue/accept/accepted-message.ts'
import { askerName } from '../queue/asker.ts'
import { readCommand } from './chat-command.ts'
import type { Subscriptions } from './store.ts'
import { ownerOf, QUIET, type Subscription } from './subscription.ts'

const UNUSED = { running: null, alert: QUIET, watched: null, last: [], gateRow: null, isFailing: false, openTo: null } as const

/**
 * Returns what keeps that which the author of a message has confirmed: for the thread of the message, or in place of a
 * subscription of the author's, whose thread and history stay.
 */
export function keepFor(subscriptions: Subscriptions, { message: { place, author } }: AcceptedMessage): Subscribe {
  const person = askerName(place, author)
  return {
    async keep(draft, language, signal) {
      const at = subscriptions.now()
      const next = nextDue(draft.recurrence, at) ?? at
      const made = { ...draft, ...UNUSED, language, status: 'active', next } as const
      const keep = async () => {
        const before = await subscriptions.find(draft.id, signal)
        if (before !== undefined && ownerOf(before) === person) {
          const isKept = (known: Subscription) => isDeepStrictEqual(subscriptionDraftSchema.parse(known), draft)
          const kept = await subscriptions.change(draft.id, known => (isKept(known) ? known : { ...known, ...made }), signal)
          return kept?.next ?? next
        }
        await subscriptions.add({ ...made, version: 1, owner: author, place, createdAt: at, history: [] }, signal)
        return next
      }
      return subscriptions.ifRoom(person, draft.id, keep, signal)
    },
    async revised(text, signal) {
      const { what, id = '', words = '' } = readCommand(text) ?? {}
      const found = what === 'edit' && words !== '' ? await subscriptions.find(id, signal) : undefined
      return found && ownerOf(found) === person ? { draft: subscriptionDraftSchema.parse(found), words } : undefined
    },
  }
}
