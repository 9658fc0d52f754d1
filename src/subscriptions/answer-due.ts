import type { AccessControl } from '../access/control.ts'
import type { Analyst } from '../agent/analyst.ts'
import { runErrorSentence } from '../agent/run/describe-run-error.ts'
import { RunError } from '../agent/run/error.ts'
import type { RunResult } from '../agent/run/result.ts'
import { answerOf, type ChatAnswererDeps, keepAnswer } from '../bots/actions/answer-chat-message.ts'
import type { RunRecords } from '../bots/actions/run-record.ts'
import type { Answer, Reply } from '../chat/reply.ts'
import type { AcceptedMessage } from '../queue/accept/accepted-message.ts'
import { rightsOf } from '../queue/deliver/reply-rights.ts'
import type { ReplyContext } from '../queue/drain/answer-message.ts'
import { threadName } from '../queue/thread-keys.ts'
import { StoreError } from '../store/store-error.ts'
import { chatWords } from '../words/chat.ts'
import { subscriptionWords } from '../words/subscription.ts'
import { alertActions } from './alert-buttons.ts'
import { concludeRun } from './conclude-run.ts'
import type { Subscriptions } from './store.ts'
import { forRights, lookedAt, type Subscription } from './subscription.ts'

export interface AnswerDueDeps extends Pick<ChatAnswererDeps, 'access' | 'now'> {
  readonly subscriptions: Subscriptions
  readonly records: Pick<RunRecords, 'save' | 'load'>
  readonly accessControl: Pick<AccessControl, 'isMember'>
  /** Runs reports within the caps of their owner, each as a question. */
  readonly analyst: Pick<Analyst, 'ask'>
  /** Runs alerts. They ask no model, so they are not counted as questions. */
  readonly watcher: Pick<Analyst, 'ask'>
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
  const { message, runId, access } = accepted
  const { due } = message
  const found = due && (await deps.subscriptions.find(due.subscription, signal))
  if (due === undefined || found === undefined) return undefined
  const rights = rightsOf(access) ?? null
  const isOpen = !message.place.isDirect && !(access?.kind === 'granted' && access.isPrivate)
  let subscription: Subscription | undefined = found
  let kept: Answer | undefined
  if (found.running?.due === due.at) {
    const made = await makeRun(deps, forRights(found, rights), due.at, accepted, context, signal)
    const ended = async (now: Subscription): Promise<Subscription> => {
      if (now.running?.due !== due.at) return now
      // Somebody may have acknowledged the alert meanwhile.
      const begun = { ...forRights(now, rights), openTo: isOpen ? { rights } : null }
      const { next, report } = concludeRun(begun, { ...now.running, runId, rights }, made)
      kept = report && (await keepAnswer(deps, accepted, report, signal))
      return next
    }
    subscription = await deps.subscriptions.change(found.id, ended, signal)
  }
  const run = subscription?.history.find(each => each.due === due.at)
  if (subscription === undefined || run === undefined) return undefined
  const { language, status } = subscription
  if (!run.isReport) return run.said === '' ? undefined : { kind: 'answer', markdown: run.said, language }
  // The rights may have changed while the run worked. What it found may then be too much.
  if (run.rights !== rights) {
    const why = RunError.otherAccess().inLanguage(language)
    return { kind: 'answer', markdown: subscriptionWords(language).failing(why, status === 'ended'), language }
  }
  const record = kept ? undefined : await deps.records.load(run.runId, signal)
  const answer = kept ?? (record && answerOf(record, false))
  const own = answer?.actions?.filter(({ action }) => action !== 'repeat') ?? []
  return answer && { ...answer, actions: [...alertActions(subscription, run.runId), ...own] }
}

/** Makes a run. Returns its result, why it failed, or undefined if its owner may not ask it here any more. */
async function makeRun(
  { accessControl, watcher, analyst }: AnswerDueDeps,
  subscription: Subscription,
  due: number,
  { message, access, runId }: AcceptedMessage,
  context: Pick<ReplyContext, 'afterReply'>,
  signal: AbortSignal,
): Promise<RunResult | string | undefined> {
  const { language, plan, kind, recurrence } = subscription
  const { place, author } = message
  const isRefused = access?.kind === 'refused'
  if (isRefused && access.reason === 'no_role') return undefined
  if (!place.isDirect && (await accessControl.isMember(place, author, signal)) === false) return undefined
  if (isRefused) return chatWords(language).peopleUnknown
  const asked = {
    ...{ runId, text: plan.question, thread: threadName(place), askedAt: due, timeZone: recurrence.zone, language },
    ...(access?.access && { access: access.access }),
    standing: { ...subscription, due, lookedAt: lookedAt(subscription) },
  }
  try {
    const { result, afterwards } = await (kind === 'alert' ? watcher : analyst).ask(asked, signal)
    context.afterReply(afterwards)
    return result
  } catch (error) {
    if (signal.aborted || error instanceof StoreError) throw error
    // Its data source has another name now, or is closed to its owner.
    return error instanceof RunError && error.code === RunError.noSource().code ? undefined : runErrorSentence(error, language)
  }
}
