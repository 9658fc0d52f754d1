import type { Analyst } from '../agent/analyst.ts'
import { runErrorSentence } from '../agent/run/describe-run-error.ts'
import { RunError } from '../agent/run/error.ts'
import type { RunResult } from '../agent/run/result.ts'
import type { Answer, Reply } from '../chat/reply.ts'
import type { AcceptedMessage } from '../queue/accept/accepted-message.ts'
import { rightsOf } from '../queue/deliver/reply-rights.ts'
import type { ReplyContext } from '../queue/drain/settle-message.ts'
import { threadName } from '../queue/thread-keys.ts'
import { StoreError } from '../store/store-error.ts'
import { chatWords } from '../words/chat.ts'
import { subscriptionWords } from '../words/subscription.ts'
import { alertActions } from './alert-buttons.ts'
import { type Conclusion, concludeRun, failed, NOTHING } from './conclude-run.ts'
import type { Subscriptions } from './store.ts'
import { forRights, type Running, type Subscription, type SubscriptionRun, withRun } from './subscription.ts'

export interface AnswerDueDeps {
  readonly subscriptions: Subscriptions
  /** Runs reports within the caps of their owner, each as a question. */
  readonly analyst: Pick<Analyst, 'ask'>
  /** Runs alerts. They ask no model, so they are not counted as questions. */
  readonly watcher: Pick<Analyst, 'ask'>
  /** Keeps a report or an alert with a record for its buttons, and shows it as any other answer. */
  readonly keepAnswer: (accepted: AcceptedMessage, result: RunResult, signal: AbortSignal) => Promise<Answer>
  /** Shows it again. Undefined if it has expired. */
  readonly keptAnswer: (runId: string, signal: AbortSignal) => Promise<Answer | undefined>
  /** Whether a person is certainly no longer in the channel. */
  readonly hasLeft: (message: AcceptedMessage['message'], signal: AbortSignal) => Promise<boolean>
}

/**
 * Makes a due run, and what it has to say. The run and its outcome are noted in one change of the subscription. A run that resumes
 * after it shows the same again.
 * @returns undefined if it has nothing to say, or is no longer wanted
 * @throws StoreError, or the signal's reason
 */
export async function answerDue(
  deps: AnswerDueDeps,
  accepted: AcceptedMessage,
  context: Pick<ReplyContext, 'afterReply'>,
  signal: AbortSignal,
): Promise<Reply | undefined> {
  const { message, runId } = accepted
  const { due } = message
  const subscription = due && (await deps.subscriptions.find(due.subscription, signal))
  if (due === undefined || subscription === undefined) return undefined
  const done = subscription.history.find(run => run.due === due.at)
  if (done !== undefined) return replyOf(deps, subscription, done, accepted, signal)
  if (subscription.running?.due !== due.at) return undefined
  const rights = rightsOf(accepted.access) ?? null
  const conclude = await makeRun(deps, forRights(subscription, rights), due.at, accepted, context, signal)
  const { report } = conclude(forRights(subscription, rights), subscription.running)
  const kept = report && (await deps.keepAnswer(accepted, report, signal))
  const ended = (now: Subscription): Subscription => {
    if (now.running?.due !== due.at) return now
    // Somebody may have acknowledged the alert meanwhile.
    const before = forRights(now, rights)
    const { change, run } = conclude(before, now.running)
    return withRun({ ...before, ...change }, { ...now.running, ...run, runId, rights })
  }
  const after = await deps.subscriptions.change(subscription.id, ended, signal)
  if (after === undefined) return undefined
  await deps.subscriptions.wake(after, signal)
  const noted = after.history.find(each => each.due === due.at)
  return noted && replyOf(deps, after, noted, accepted, signal, kept)
}

async function replyOf(
  deps: AnswerDueDeps,
  subscription: Subscription,
  { isReport, runId, said, rights }: SubscriptionRun,
  { access }: AcceptedMessage,
  signal: AbortSignal,
  kept?: Answer,
): Promise<Reply | undefined> {
  const { language, status } = subscription
  // The rights may have changed while the run worked. What it found may then be too much.
  const isOutdated = isReport && rights !== (rightsOf(access) ?? null)
  const markdown = isOutdated
    ? subscriptionWords(language).failing(RunError.otherAccess().inLanguage(language), status === 'ended')
    : said
  if (isOutdated || !isReport) return markdown === '' ? undefined : { kind: 'answer', markdown, language }
  const answer = kept ?? (await deps.keptAnswer(runId, signal))
  const own = answer?.actions?.filter(({ action }) => action !== 'repeat') ?? []
  return answer && { ...answer, actions: [...alertActions(subscription, runId), ...own] }
}

/** Makes a run. Returns how it ends for the subscription as it then is. */
async function makeRun(
  { hasLeft, watcher, analyst }: AnswerDueDeps,
  subscription: Subscription,
  due: number,
  { message, access, runId }: AcceptedMessage,
  context: Pick<ReplyContext, 'afterReply'>,
  signal: AbortSignal,
): Promise<(now: Subscription, running: Running) => Conclusion> {
  const { language, plan, kind, recurrence } = subscription
  const isRefused = access?.kind === 'refused'
  if ((isRefused && access.reason === 'no_role') || (await hasLeft(message, signal))) {
    const said = subscriptionWords(language).ownerLeft(plan.question)
    return () => ({ change: { status: 'paused' }, run: { ...NOTHING, outcome: 'paused', said } })
  }
  if (isRefused) return now => failed(now, chatWords(language).peopleUnknown)
  const asked = {
    ...{ runId, text: plan.question, thread: threadName(message.place), askedAt: due, timeZone: recurrence.zone, language },
    ...(access?.access && { access: access.access }),
    standing: { ...subscription, due },
  }
  try {
    const { result, afterwards } = await (kind === 'alert' ? watcher : analyst).ask(asked, signal)
    context.afterReply(afterwards)
    return (now, running) => concludeRun(now, running, result)
  } catch (error) {
    if (signal.aborted || error instanceof StoreError) throw error
    return now => failed(now, runErrorSentence(error, language))
  }
}
