import { momentInWords, recurrenceInWords } from '../agent/subscribe/in-words.ts'
import type { Reply } from '../chat/reply.ts'
import type { AcceptedMessage } from '../queue/accept/accepted-message.ts'
import { askerName } from '../queue/asker.ts'
import { subscriptionWords } from '../words/subscription.ts'
import { isSteered, steer, steeringSchema } from './steer.ts'
import type { Subscriptions } from './store.ts'
import type { Subscription } from './subscription.ts'

const COMMAND = /^\/subscriptions(?:\s+(\S+)(?:\s+(sub_[0-9a-f]{1,32})(?:\s+(\S[\s\S]*))?)?)?$/i

/** Reads `/subscriptions`, what it is to do, with which one, and further words. Undefined if the message is another one. */
export function readCommand(text: string) {
  const found = COMMAND.exec(text.trim())
  return found === null ? undefined : { what: found[1], id: found[2], words: found[3] }
}

/**
 * Answers `/subscriptions`, which lists the author's own subscriptions, and `/subscriptions pause sub_…` and the like.
 * @returns undefined if the message is another one, or if its words change a subscription: a model understands them
 * @throws StoreError
 */
export async function answerSubscriptionsCommand(
  subscriptions: Subscriptions,
  { message }: AcceptedMessage,
  signal: AbortSignal,
): Promise<Reply | undefined> {
  const { language = 'en', author, place, isPrivate, publicThread } = message
  const { what = 'list', id, words: change } = readCommand(message.text) ?? { what: '' }
  if (what === '') return undefined
  const words = subscriptionWords(language)
  const reply = (markdown: string) => ({ kind: 'answer', markdown }) as const
  // Somebody else's subscriptions may read what the author may not, so the command knows the author's own alone.
  const own = await subscriptions.all(signal, askerName(place, author))
  // Others read along here. They need not learn what the author asks elsewhere.
  const isAlone = place.isDirect || isPrivate === true || publicThread !== undefined
  const lineOf = (each: Subscription) => line(each, isAlone || each.place.channel === place.channel)
  if (what === 'list') return reply(own.length === 0 ? words.none : own.map(lineOf).join('\n'))
  if (id === undefined || !own.some(each => each.id === id)) return reply(words.usage)
  if (what === 'edit' && change !== undefined) return publicThread === undefined ? undefined : reply(words.onlyInChats)
  const steering = steeringSchema.safeParse(what).data
  if (steering === undefined || change !== undefined) return reply(words.usage)
  const after = await steer(subscriptions, id, steering, signal)
  return reply(after === undefined || isSteered(after, steering) ? words.steered(id, steering) : lineOf(after))
}

function line({ id, kind, status, recurrence, next, plan, language }: Subscription, isOpen: boolean): string {
  const words = subscriptionWords(language)
  const when = status === 'active' ? momentInWords(next, recurrence.zone, language) : words.status[status]
  return `- \`${id}\` ${words[kind]}, ${recurrenceInWords(recurrence, language)} (${when})${isOpen ? `: ${plan.question}` : ''}`
}
