import { momentInWords, recurrenceInWords } from '../agent/subscribe/in-words.ts'
import type { Reply } from '../chat/reply.ts'
import type { AcceptedMessage } from '../queue/accept/accepted-message.ts'
import { subscriptionWords } from '../words/subscription.ts'
import { steer, steeringSchema } from './steer.ts'
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
  deps: { readonly subscriptions: Subscriptions; readonly now: () => number },
  { message }: AcceptedMessage,
  signal: AbortSignal,
): Promise<Reply | undefined> {
  const command = readCommand(message.text)
  if (command === undefined) return undefined
  const { language = 'en', author, place } = message
  const words = subscriptionWords(language)
  // Somebody else's subscriptions may read what the author may not, so the command knows the author's own alone.
  const all = await deps.subscriptions.all(signal)
  const own = all.filter(each => each.owner === author && each.place.platform === place.platform)
  const { what, id = '', words: change } = command
  if (what === 'edit' && change !== undefined && own.some(each => each.id === id))
    return message.publicThread === undefined ? undefined : { kind: 'answer', markdown: words.onlyInChats }
  if (what === undefined || what === 'list')
    return { kind: 'answer', markdown: own.length === 0 ? words.none : own.map(line).join('\n') }
  const steering = steeringSchema.safeParse(what).data
  if (steering === undefined || change !== undefined || !own.some(each => each.id === id))
    return { kind: 'answer', markdown: words.usage }
  const after = await steer(deps, id, steering, signal)
  const isOver = steering === 'resume' && after?.status === 'ended'
  return { kind: 'answer', markdown: isOver ? line(after) : words.steered[steering](id) }
}

function line({ id, kind, status, recurrence, next, plan, language }: Subscription): string {
  const words = subscriptionWords(language)
  const when = status === 'active' ? momentInWords(next, recurrence.zone, language) : words.status[status]
  return `- \`${id}\` ${words[kind]}, ${recurrenceInWords(recurrence, language)} (${when}): ${plan.question}`
}
