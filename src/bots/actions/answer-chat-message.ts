import type { RunResult } from '../../agent/run/result.ts'
import type { Subscribe } from '../../agent/subscribe/frozen-plan.ts'
import type { Answer, Reply } from '../../chat/reply.ts'
import type { AcceptedMessage } from '../../queue/accept/accepted-message.ts'
import type { ReplyContext } from '../../queue/drain/answer-message.ts'
import { chatWords } from '../../words/chat.ts'
import { answerActions, chooseActions, publishAction } from './answer-actions.ts'
import { askForMessage, type MessageAskerDeps, refusalReply } from './ask-for-message.ts'
import { ChatProgress } from './chat-progress.ts'
import type { PressAccess } from './press-access.ts'
import { type RunRecord, type RunRecords, recordOf } from './run-record.ts'
import type { ShowClosed } from './show-closed.ts'

export interface ChatAnswererDeps extends MessageAskerDeps {
  readonly records: Pick<RunRecords, 'save'>
  readonly access: Pick<PressAccess, 'mayPublish'>
  readonly showClosed: ShowClosed
  /** Returns what keeps that which the author of a message confirms to recur. */
  readonly keepFor: (accepted: AcceptedMessage) => Subscribe
  /** Unix time in milliseconds. */
  readonly now: () => number
}

/**
 * Answers a message from a chat through the analyst, and shows the progress. Stores a record for the answer's buttons before the
 * answer is shown.
 */
export async function answerChatMessage(
  deps: ChatAnswererDeps,
  accepted: AcceptedMessage,
  context: ReplyContext,
  signal: AbortSignal,
): Promise<Reply> {
  const { message, runId, access: decision } = accepted
  const { language = 'en' } = message
  if (decision?.kind === 'refused') return refusalReply(decision, message)
  // A message that only mentions Clew gets a greeting. This needs no model.
  if (message.text.trim() === '') return { kind: 'answer', markdown: chatWords(language).hello }
  const progress = new ChatProgress(language)
  const result = await askForMessage(
    deps,
    accepted,
    context,
    {
      observe: event => {
        if (progress.observe(event)) context.progress(() => progress.progress())
      },
      // A private answer to a command has no place of its own, to which something could come later.
      ...(message.publicThread === undefined && { subscribe: deps.keepFor(accepted) }),
      onClosed: ({ question, choice }) => {
        const shown = deps.showClosed(question, choice, signal)
        // `afterReply` reports a failure later. Without this handler, Node would first report it as unhandled.
        shown.catch(() => undefined)
        context.afterReply(() => shown)
      },
    },
    signal,
  )
  const answer = await keepAnswer(deps, accepted, result, signal)
  return result.interrupt === null ? answer : { ...answer, actions: chooseActions(runId, result.interrupt) }
}

/** Keeps the record of an answer for its buttons, and returns the answer. */
export async function keepAnswer(
  deps: Pick<ChatAnswererDeps, 'records' | 'access' | 'now'>,
  accepted: AcceptedMessage,
  result: RunResult,
  signal: AbortSignal,
): Promise<Answer> {
  const record = recordOf(accepted, result, deps.now())
  await deps.records.save(record, result.queries, signal)
  const isPublishable = record.isPrivate && !record.place.isDirect && (await deps.access.mayPublish(record, signal))
  return { ...answerOf(record, isPublishable), result }
}

/** Returns the answer of a record, with its buttons. */
export function answerOf(record: RunRecord, isPublishable: boolean): Answer {
  const { markdown, footer, chart, language } = record
  const actions = [...answerActions(record), ...(isPublishable ? [publishAction(record)] : [])]
  return {
    kind: 'answer',
    markdown,
    ...(footer === '' ? {} : { footer }),
    ...(chart === undefined ? {} : { chart }),
    ...(actions.length === 0 ? {} : { actions }),
    ...(language === 'en' ? {} : { language }),
  }
}
