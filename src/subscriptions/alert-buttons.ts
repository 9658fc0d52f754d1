import type { ChatAction } from '../chat/action.ts'
import type { ChatMessage } from '../chat/event.ts'
import type { PressHandler } from '../chat/press-handler.ts'
import type { AcceptedRuns } from '../queue/accept/accepted-runs.ts'
import type { MessageReceiver } from '../queue/accept/message-receiver.ts'
import { chatWords } from '../words/chat.ts'
import { subscriptionWords } from '../words/subscription.ts'
import { SUBSCRIPTION_LIMITS } from './limits.ts'
import type { Subscriptions } from './store.ts'
import type { Subscription } from './subscription.ts'

/** The buttons below the message of an open alert. */
export function alertActions({ kind, alert, language }: Subscription, runId: string): ChatAction[] {
  if (kind !== 'alert' || alert.state !== 'open') return []
  const words = subscriptionWords(language)
  return [
    { action: 'acknowledge', runId, label: words.acknowledge },
    { action: 'snooze', runId, label: words.snooze },
    { action: 'why', runId, label: words.why },
  ]
}

interface AlertPressDeps {
  readonly runs: Pick<AcceptedRuns, 'find'>
  readonly subscriptions: Subscriptions
}

/** Handles a press on "Acknowledge" or "Snooze", by anyone in the channel. The alert then stays quiet. */
export function quietAlert(
  state: 'acknowledged' | 'snoozed',
  deps: AlertPressDeps & { readonly now: () => number },
): PressHandler {
  return async (press, signal) => {
    const subscription = await subscriptionOf(deps, press, signal)
    const language = press.language ?? subscription?.language ?? 'en'
    if (subscription === undefined) return { markdown: chatWords(language).forgotten }
    const rested = (now: Subscription): Subscription =>
      now.alert.state === 'quiet' ? now : { ...now, alert: { ...now.alert, state, toldAt: deps.now() } }
    const after = await deps.subscriptions.change(subscription.id, rested, signal)
    const words = subscriptionWords(language)
    return { markdown: after?.alert.state === state ? words[state] : words.notOpen }
  }
}

/** Handles a press on "Why?": asks about the rows that fired the alert, as a question of whoever pressed. */
export function askWhy(deps: AlertPressDeps & { readonly receiver: Pick<MessageReceiver, 'receive'> }): PressHandler {
  return async (press, signal) => {
    const subscription = await subscriptionOf(deps, press, signal)
    const language = press.language ?? subscription?.language ?? 'en'
    if (subscription === undefined) return { markdown: chatWords(language).forgotten }
    const { alert, plan, watched } = subscription
    const rows = alert.keys.slice(0, SUBSCRIPTION_LIMITS.alertRows).map(key => watched?.texts[key] ?? key)
    await deps.receiver.receive({
      place: subscription.place,
      messageId: `why-${press.pressId}`,
      order: press.order,
      author: press.user,
      text: subscriptionWords(language).whyQuestion(plan.question, rows.join('; ')),
      addressed: true,
      language,
    } satisfies ChatMessage)
    return undefined
  }
}

/** Finds the subscription of a button. Undefined if it was deleted, or if the press comes from elsewhere. */
async function subscriptionOf(
  { runs, subscriptions }: AlertPressDeps,
  press: Parameters<PressHandler>[0],
  signal: AbortSignal,
): Promise<Subscription | undefined> {
  const due = (await runs.find(press.pressed.runId, signal))?.message.due
  const found = due && (await subscriptions.find(due.subscription, signal))
  const { platform, workspace, channel } = press.place
  const isThere = found?.place.platform === platform && found.place.workspace === workspace && found.place.channel === channel
  return isThere ? found : undefined
}
