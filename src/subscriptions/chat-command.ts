import { z } from 'zod'
import { momentInWords, recurrenceInWords } from '../agent/subscribe/in-words.ts'
import type { Reply } from '../chat/reply.ts'
import type { AcceptedMessage } from '../queue/accept/accepted-message.ts'
import { subscriptionWords } from '../words/subscription.ts'
import { steer } from './steer.ts'
import type { Subscriptions } from './store.ts'
import type { Subscription } from './subscription.ts'

const COMMAND = /^\/subscriptions(?:\s+(\S+)(?:\s+(sub_[0-9a-f]{1,32}))?)?\s*$/i
const steeringSchema = z.enum(['pause', 'resume', 'run', 'delete'])

/**
 * Answers `/subscriptions`, which lists the author's own subscriptions, and `/subscriptions pause sub_…` and the like.
 * @returns undefined if the message is another one
 * @throws StoreError
 */
export async function answerSubscriptionsCommand(
  deps: { readonly subscriptions: Subscriptions; readonly now: () => number },
  { message }: AcceptedMessage,
  signal: AbortSignal,
): Promise<Reply | undefined> {
  const found = COMMAND.exec(message.text.trim())
  if (found === null) return undefined
  const { language = 'en', author, place } = message
  const words = subscriptionWords(language)
  // Somebody else's subscriptions may read what the author may not, so the command knows the author's own alone.
  const all = await deps.subscriptions.all(signal)
  const own = all.filter(each => each.owner === author && each.place.platform === place.platform)
  const [, what, id = ''] = found
  if (what === undefined || what === 'list')
    return { kind: 'answer', markdown: own.length === 0 ? words.none : own.map(line).join('\n') }
  const steering = steeringSchema.safeParse(what).data
  if (steering === undefined || !own.some(each => each.id === id)) return { kind: 'answer', markdown: words.usage }
  await steer(deps, id, steering, signal)
  return { kind: 'answer', markdown: words.steered[steering](id) }
}

function line({ id, kind, status, recurrence, next, plan, language }: Subscription): string {
  const words = subscriptionWords(language)
  const when = status === 'active' ? momentInWords(next, recurrence.zone, language) : words.status[status]
  return `- \`${id}\` ${words[kind]}, ${recurrenceInWords(recurrence, language)} (${when}): ${plan.question}`
}
