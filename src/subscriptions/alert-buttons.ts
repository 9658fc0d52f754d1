import type { PressAccess } from '../bots/actions/press-access.ts'
import { forgotten, forReaders } from '../bots/actions/press-checks.ts'
import type { RunRecords } from '../bots/actions/run-record.ts'
import type { ChatAction } from '../chat/action.ts'
import type { ChatMessage } from '../chat/event.ts'
import type { PressHandler } from '../chat/press-handler.ts'
import type { AcceptedRuns } from '../queue/accept/accepted-runs.ts'
import type { MessageReceiver } from '../queue/accept/message-receiver.ts'
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
  readonly records: Pick<RunRecords, 'load'>
  readonly access: Pick<PressAccess, 'mayRead'>
  readonly runs: Pick<AcceptedRuns, 'find'>
  readonly subscriptions: Subscriptions
}

/** Handles a press on "Acknowledge" or "Snooze", by anyone who may read what the alert reads. */
export function quietAlert(
  state: 'acknowledged' | 'snoozed',
  deps: AlertPressDeps & { readonly now: () => number },
): PressHandler {
  return forReaders(deps, async ({ record, words }, signal) => {
    const rested = (now: Subscription): Subscription =>
      now.alert.state === 'quiet' ? now : { ...now, alert: { ...now.alert, state, toldAt: deps.now() } }
    const id = await subscriptionOf(deps, record.runId, signal)
    const after = id === undefined ? undefined : await deps.subscriptions.change(id, rested, signal)
    if (after === undefined) return forgotten(words)
    const own = subscriptionWords(record.language)
    return { markdown: after.alert.state === state ? own[state] : own.notOpen }
  })
}

/** Handles a press on "Why?": asks about the rows that fired the alert, as a question of whoever pressed. */
export function askWhy(deps: AlertPressDeps & { readonly receiver: Pick<MessageReceiver, 'receive'> }): PressHandler {
  return forReaders(deps, async ({ press, record, words }, signal) => {
    const id = await subscriptionOf(deps, record.runId, signal)
    const subscription = id === undefined ? undefined : await deps.subscriptions.find(id, signal)
    if (subscription === undefined) return forgotten(words)
    const { alert, plan, watched, place } = subscription
    const rows = alert.keys
      .slice(0, SUBSCRIPTION_LIMITS.alertRows)
      .map(key => watched?.find(each => each.key === key)?.row ?? key)
    const text = subscriptionWords(record.language).whyQuestion(plan.question, rows.join('; '))
    const asked = { author: press.user, text, addressed: true, language: record.language }
    await deps.receiver.receive({ place, messageId: `why-${press.pressId}`, order: press.order, ...asked } satisfies ChatMessage)
    return undefined
  })
}

async function subscriptionOf({ runs }: AlertPressDeps, runId: string, signal: AbortSignal): Promise<string | undefined> {
  return (await runs.find(runId, signal))?.message.due?.subscription
}
