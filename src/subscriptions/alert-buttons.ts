import { SIZES } from '../base/sizes.ts'
import type { PressAccess } from '../bots/actions/press-access.ts'
import { forgotten, forReaders } from '../bots/actions/press-checks.ts'
import type { RunRecord, RunRecords } from '../bots/actions/run-record.ts'
import type { ChatAction } from '../chat/action.ts'
import type { ChatMessage, ChatPress } from '../chat/event.ts'
import type { PressHandler } from '../chat/press-handler.ts'
import type { AcceptedRuns } from '../queue/accept/accepted-runs.ts'
import type { MessageReceiver } from '../queue/accept/message-receiver.ts'
import { cutCharacters } from '../warehouse/sql/plain-text.ts'
import { subscriptionWords } from '../words/subscription.ts'
import type { Subscriptions } from './store.ts'
import type { Subscription } from './subscription.ts'

/** The buttons below the message of an open alert. */
export function alertActions({ kind, alert, language }: Subscription, runId: string): ChatAction[] {
  if (kind !== 'alert' || alert.state !== 'open') return []
  return (['acknowledge', 'snooze', 'why'] as const).map(action => ({
    action,
    runId,
    label: subscriptionWords(language)[action],
  }))
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
    const due = (await deps.runs.find(record.runId, signal))?.message.due
    const after = due && (await deps.subscriptions.change(due.subscription, rested, signal))
    if (after === undefined) return forgotten(words)
    const own = subscriptionWords(record.language)
    return { markdown: after.alert.state === state ? own[state] : own.notOpen }
  })
}

/** Handles a press that asks a question below an answer, as a message of whoever pressed. Nothing is asked if it is empty. */
export function askBelow(
  deps: Pick<AlertPressDeps, 'records' | 'access'> & { readonly receiver: Pick<MessageReceiver, 'receive'> },
  questionOf: (record: RunRecord, press: ChatPress) => string,
): PressHandler {
  return forReaders(deps, async ({ press, record }) => {
    const { place, language } = record
    const text = cutCharacters(questionOf(record, press), SIZES.question)
    const asked = { author: press.user, text, addressed: true, language }
    const messageId = `${press.pressed.action}-${press.pressId}`
    if (text !== '') await deps.receiver.receive({ place, messageId, order: press.order, ...asked } satisfies ChatMessage)
    return undefined
  })
}

/** The question of "Why?" about an alert, with the rows that fired it. */
export function alertQuestion({ language, markdown }: RunRecord): string {
  return subscriptionWords(language).whyQuestion(markdown)
}

/** The question of "Repeat this…" once its form is submitted: the words by which anybody sets up what recurs. */
export function repeatQuestion({ standaloneQuestion }: RunRecord, { text = '' }: ChatPress): string {
  return text === '' ? '' : `${text}: ${standaloneQuestion}`
}
