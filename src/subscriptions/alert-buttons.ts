import { SIZES } from '../base/sizes.ts'
import type { PressAccess } from '../bots/actions/press-access.ts'
import { forgotten, forReaders } from '../bots/actions/press-checks.ts'
import type { RunRecord, RunRecords } from '../bots/actions/run-record.ts'
import type { ChatAction } from '../chat/action.ts'
import type { ChatPress } from '../chat/event.ts'
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
  const words = subscriptionWords(language)
  return (['acknowledge', 'snooze', 'why'] as const).map(action => ({ action, runId, label: words[action] }))
}

interface AlertPressDeps {
  readonly records: Pick<RunRecords, 'load'>
  readonly access: Pick<PressAccess, 'mayRead'>
  readonly runs: Pick<AcceptedRuns, 'find'>
  readonly subscriptions: Subscriptions
}

/** Handles a press on "Acknowledge" or "Snooze", by anyone who may read what the alert reads. */
export function quietAlert(state: 'acknowledged' | 'snoozed', deps: AlertPressDeps): PressHandler {
  return forReaders(deps, async ({ record, words }, signal) => {
    const rested = (now: Subscription): Subscription =>
      now.alert.state === 'quiet' ? now : { ...now, alert: { ...now.alert, state, toldAt: deps.subscriptions.now() } }
    const due = (await deps.runs.find(record.runId, signal))?.message.due
    const after = due && (await deps.subscriptions.change(due.subscription, rested, signal))
    if (after === undefined) return forgotten(words)
    const own = subscriptionWords(record.language)
    return { markdown: after.alert.state === state ? own[state] : own.notOpen }
  })
}

/** The question that a press on a button asks, as a message of whoever pressed. Nothing is asked if it is empty. */
const QUESTIONS = {
  /** About an alert, with the rows that fired it. */
  why: ({ language, markdown }: RunRecord) => subscriptionWords(language).whyQuestion(markdown),
  /** Once the form is submitted: the words by which anybody sets up what recurs. */
  repeat: ({ standaloneQuestion }: RunRecord, { text = '' }: ChatPress) => (text === '' ? '' : `${text}: ${standaloneQuestion}`),
}

/** Handles a press that asks a question below an answer. */
export function askBelow(
  action: keyof typeof QUESTIONS,
  deps: Pick<AlertPressDeps, 'records' | 'access'> & { readonly receiver: Pick<MessageReceiver, 'receive'> },
): PressHandler {
  return forReaders(deps, async ({ press, record }) => {
    const text = cutCharacters(QUESTIONS[action](record, press), SIZES.question)
    const { place, language } = record
    const messageId = `${action}-${press.pressId}`
    const asked = { place, messageId, order: press.order, author: press.user, text, addressed: true, language }
    if (text !== '') await deps.receiver.receive(asked)
    return undefined
  })
}
